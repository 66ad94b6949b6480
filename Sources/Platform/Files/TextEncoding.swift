/// How a file writes its characters.
package enum TextEncoding: Equatable, Sendable {
    case utf8(hasMark: Bool)
    case utf16(isLittleEndian: Bool)
    case latin1
    /// CP949, which has all of EUC-KR.
    case korean

    /// The encoding in words.
    package var name: String {
        switch self {
        case .utf8(let hasMark): hasMark ? "UTF-8 with a byte order mark" : "UTF-8"
        case .utf16: "UTF-16"
        case .latin1: "Latin-1"
        case .korean: "CP949 (EUC-KR)"
        }
    }

    /// Recognises the encoding of a text.
    ///
    /// Korean text has pairs of bytes, most of them syllables of EUC-KR. Other texts that are not UTF-8 are Latin-1.
    ///
    /// - Parameter pieces: Gives the next piece of the text. Called until it returns nil or the encoding is certain.
    package init(of pieces: () -> [UInt8]?) {
        var start = pieces() ?? []
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            self = .utf16(isLittleEndian: start[0] == 0xFF)
            return
        }
        let zeros = start.indices.prefix(4096).filter { start[$0] == 0 }
        let odd = zeros.count { $0 % 2 == 1 }
        if zeros.count * 5 > min(start.count, 4096), odd == zeros.count || odd == 0 {
            self = .utf16(isLittleEndian: odd > 0)
            return
        }
        let hasMark = start.starts(with: [0xEF, 0xBB, 0xBF])
        var evidence = Evidence()
        while true {
            for byte in start where byte >= 0x80 || !evidence.isBetweenCharacters { evidence.take(byte) }
            guard let next = pieces() else { break }
            start = next
        }
        self = evidence.isUTF8 ? .utf8(hasMark: hasMark) : evidence.isKorean ? .korean : .latin1
    }

    /// Counts the evidence for each encoding in the bytes of a text.
    private struct Evidence {
        private(set) var isUTF8 = true
        /// The bytes that must follow for UTF-8.
        private var missing = 0
        /// The first byte of a Korean pair; 0 if there is none.
        private var lead: UInt8 = 0
        private var pairs = 0
        private var syllables = 0
        private var others = 0

        var isBetweenCharacters: Bool { missing == 0 && lead == 0 }
        var isKorean: Bool { others * 100 <= pairs && syllables * 2 > pairs }

        private mutating func refuseUTF8() {
            isUTF8 = false
            missing = 0
        }

        mutating func take(_ byte: UInt8) {
            if missing > 0 {
                missing -= 1
                if byte & 0xC0 != 0x80 { refuseUTF8() }
            } else if byte >= 0x80 {
                missing = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1
                if byte < 0xC2 || byte > 0xF4 { refuseUTF8() }
            }
            if lead > 0 {
                pairs += 1
                if (0xB0...0xC8).contains(lead), byte >= 0xA1 { syllables += 1 }
                let isTrail = byte >= 0x81 || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                if !isTrail || byte == 0xFF { others += 1 }
                lead = 0
            } else if byte >= 0x81, byte < 0xFF {
                lead = byte
            } else if byte >= 0x80 {
                others += 1
            }
        }
    }
}

/// Converts a text to UTF-8 piece by piece, with the system's converter.
@safe
package final class TextConverter {
    private let handle: iconv_t
    /// The beginning of a character whose end is in the next piece.
    private var rest: [UInt8] = []

    /// Returns nil if the system has no such converter.
    package init?(from encoding: TextEncoding) {
        let name: String
        switch encoding {
        case .utf16(let isLittleEndian): name = isLittleEndian ? "UTF-16LE" : "UTF-16BE"
        case .korean: name = "CP949"
        case .utf8, .latin1: return nil
        }
        guard let opened = unsafe iconv_open("UTF-8", name), Int(bitPattern: opened) != -1 else { return nil }
        unsafe handle = opened
    }

    deinit { unsafe iconv_close(handle) }

    /// The next piece in UTF-8. A byte that is no part of a character becomes U+FFFD.
    package func convert(_ piece: [UInt8]) -> [UInt8] {
        var input = (rest + piece).map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: input.count * 3 + 16)
        var read = 0
        var written = 0
        unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                while read < input.count {
                    var from = unsafe input.baseAddress.map { unsafe $0 + read }
                    var to = unsafe output.baseAddress.map { unsafe $0 + written }
                    var left = input.count - read
                    var room = output.count - written
                    let status = unsafe iconv(handle, &from, &left, &to, &room)
                    read = input.count - left
                    written = output.count - room
                    guard status == -1, errno == EILSEQ else { break }
                    read += 1
                    for byte: UInt8 in [0xEF, 0xBF, 0xBD] {
                        unsafe output[written] = CChar(bitPattern: byte)
                        written += 1
                    }
                }
            }
        }
        rest = input[read...].map { UInt8(bitPattern: $0) }
        return output[..<written].map { UInt8(bitPattern: $0) }
    }
}
