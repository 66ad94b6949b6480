import JuiceStand
import Testing

// Vectors of the 64-bit FNV-1a: Fowler, Noll, Vo, test suite of their reference code and RFC 9923. The two words with
// the value 0 are the ones the RFC names for it.
@Test(
    arguments: [
        ("", 0xcbf2_9ce4_8422_2325, "cbf29ce484222325"), ("a", 0xaf63_dc4c_8601_ec8c, "af63dc4c8601ec8c"),
        ("foobar", 0x8594_4171_f739_67e8, "85944171f73967e8"), ("77kepQFQ8Kl", 0, "0000000000000000"),
        ("!0IC=VloaY", 0, "0000000000000000"),
    ] as [(String, UInt64, String)])
func `a fingerprint is FNV-1a in sixteen digits`(text: String, value: UInt64, digits: String) {
    #expect(Fingerprint(text).value == value)
    #expect(Fingerprint(text).text == digits)
}

@Test func `hashing pieces gives the hash of the whole`() {
    var pieces = Fingerprint()
    #expect(pieces.value == Fingerprint("").value)
    pieces.combine("딸기".utf8)
    pieces.combine([])
    pieces.combine([0x20, 0x6a])
    #expect(pieces.value == Fingerprint("딸기 j").value)
}
