/// A 64-bit FNV-1a hash. Unlike `Hasher`, it is the same on every machine and in every run.
///
/// It names the random streams and identifies configurations. It does not resist deliberate collisions.
/// Source: Fowler, Noll, Vo; RFC 9923.
package struct Fingerprint: Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package init(_ text: String) { combine(text.utf8) }

    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }

    /// Hashes a long run of bytes, without the overhead of a sequence.
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
