/// A 64-bit FNV-1a hash: the same on every machine and in every run, unlike `Hasher`.
///
/// Names the random streams and identifies configurations; not meant to withstand somebody looking for collisions.
/// Source: Fowler, Noll, Vo; RFC 9923.
package struct Fingerprint: Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package init(_ text: String) {
        combine(text.utf8)
    }

    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }

    /// The same, for long stretches of bytes.
    package mutating func combine(_ bytes: RawSpan) {
        for index in 0..<bytes.byteCount {
            value =
                (value ^ UInt64(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)))
                &* 0x0000_0100_0000_01b3
        }
    }

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
