/// Compresses content for `Content-Encoding: gzip` (RFC 1951 and RFC 1952), with the fixed Huffman codes.
///
/// Meant for static content of some kilobytes that is compressed once.
package struct GZip {
    private let input: [UInt8]
    private var output: [UInt8] = []
    /// Bits that don't fill a byte yet, the first one lowest.
    private var bits: UInt32 = 0
    private var bitCount = 0

    private static let window = 32_768
    private static let shortest = 3
    private static let longest = 258
    /// Earlier occurrences that are compared before the longest match is taken.
    private static let mostTries = 128

    /// - Complexity: O(*n*) for *n* bytes, with a large factor for repetitive ones
    package static func compress(_ input: [UInt8]) -> [UInt8] {
        var gzip = GZip(input: input)
        // Magic number, deflate, no flags, no time, no hints, unknown system.
        gzip.output = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        gzip.deflate()
        gzip.append(crc32(input))
        gzip.append(UInt32(truncatingIfNeeded: input.count))
        return gzip.output
    }

    /// The checksum of a gzip file.
    package static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~crc
    }

    private mutating func append(_ number: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) { output.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

// MARK: - Matches

extension GZip {
    private mutating func deflate() {
        // The last block, with the fixed codes.
        put(0b011, 3)
        // The last position of each hash, and the position before each position with the same hash.
        var heads = [Int](repeating: -1, count: 1 << 13)
        var previous = [Int](repeating: -1, count: input.count)
        var position = 0
        while position < input.count {
            let match = longestMatch(at: position, heads, previous)
            let length = match.length >= Self.shortest ? match.length : 1
            if length == 1 { putLiteral(Int(input[position])) } else { put(length: length, distance: match.distance) }
            for place in position..<(position + length) {
                guard let hash = hash(at: place) else { break }
                previous[place] = heads[hash]
                heads[hash] = place
            }
            position += length
        }
        putLiteral(256)
        if bitCount > 0 { put(0, 8 - bitCount) }
    }

    private func hash(at place: Int) -> Int? {
        guard place + 2 < input.count else { return nil }
        return (Int(input[place]) << 10 ^ Int(input[place + 1]) << 5 ^ Int(input[place + 2])) & 0x1FFF
    }

    private func longestMatch(at position: Int, _ heads: [Int], _ previous: [Int]) -> (length: Int, distance: Int) {
        var best = (length: 0, distance: 0)
        guard let hash = hash(at: position) else { return best }
        let limit = min(Self.longest, input.count - position)
        var (candidate, tries) = (heads[hash], 0)
        while candidate >= 0, position - candidate <= Self.window, tries < Self.mostTries, best.length < limit {
            var length = 0
            while length < limit, input[candidate + length] == input[position + length] { length += 1 }
            if length > best.length { best = (length, position - candidate) }
            candidate = previous[candidate]
            tries += 1
        }
        return best
    }
}

// MARK: - Codes

extension GZip {
    /// Writes the low `count` bits of a number, the lowest first.
    private mutating func put(_ number: Int, _ count: Int) {
        bits |= UInt32(number) << UInt32(bitCount)
        bitCount += count
        while bitCount >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    /// Writes a Huffman code, which has its highest bit first.
    private mutating func put(code: Int, _ count: Int) {
        put((0..<count).reduce(0) { $0 << 1 | (code >> $1 & 1) }, count)
    }

    /// Writes a byte, the end (256) or the code of a length (RFC 1951, 3.2.6).
    private mutating func putLiteral(_ symbol: Int) {
        switch symbol {
        case 0...143: put(code: 0b0011_0000 + symbol, 8)
        case 144...255: put(code: 0b1_1001_0000 + symbol - 144, 9)
        case 256...279: put(code: symbol - 256, 7)
        default: put(code: 0b1100_0000 + symbol - 280, 8)
        }
    }

    /// Writes a match: the codes of both numbers, each with the bits it leaves open (RFC 1951, 3.2.5).
    private mutating func put(length: Int, distance: Int) {
        // Four codes for each power of two; the longest length has a code of its own.
        if length == Self.longest {
            putLiteral(285)
        } else {
            let (code, open) = Self.code(of: length - 3, perPower: 4)
            putLiteral(257 + code)
            put((length - 3) & (1 << open - 1), open)
        }
        let (code, open) = Self.code(of: distance - 1, perPower: 2)
        put(code: code, 5)
        put((distance - 1) & (1 << open - 1), open)
    }

    /// The code of a number where each power of two has some codes, and the number of low bits that it leaves open.
    private static func code(of number: Int, perPower: Int) -> (code: Int, open: Int) {
        guard number >= 2 * perPower else { return (number, 0) }
        let power = Int.bitWidth - 1 - number.leadingZeroBitCount
        let open = power - perPower.trailingZeroBitCount
        return (perPower * open + (number >> open), open)
    }
}
