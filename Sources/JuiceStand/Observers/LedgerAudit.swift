import Platform
import TextFormats

/// Audits a ledger without the configuration or the program that wrote it.
///
/// It checks that sequence numbers have no gap, time never runs backwards, every level follows from the lines that
/// change it, every order is complete, all orders of a juice took the same fruit per cup, and the closing line agrees
/// with the others. The first of several rotated files may be missing; the audit then accepts what began before.
package struct LedgerAudit {
    /// What the audit counted and what is wrong.
    package struct Finding: Equatable, Sendable {
        package var events = 0
        package var orders = 0
        package var served = 0
        package var lost = 0
        /// Orders still in the stand at the last line.
        package var present = 0
        package var lastTime = "0.000000000"
        package var isClosed = false
        /// At most ``LedgerAudit/mostProblems`` are kept.
        package var problems: [TextProblem] = []
        package var problemCount = 0
    }

    package static let mostProblems = 50

    package internal(set) var finding = Finding()
    var place = Place(source: "")
    /// The start of a line whose end has not been read yet.
    private var cut: [UInt8] = []
    var expectedSequence: UInt64?
    var startsLater = false
    var nanoseconds: Int64 = 0
    var levels: [String: Int] = [:]
    var unlimited: Set<String> = []
    var lastOrder: UInt64?
    var orders: [UInt64: AuditedOrder] = [:]
    var recipes: [String: [String: Int]] = [:]
    /// Pieces ordered and not delivered; negative only where the ledger starts later.
    var onOrder: [String: Int] = [:]
    /// Delivered pieces that no line has put on the shelf yet.
    var toShelve: [String: Int] = [:]
    /// Pieces that a reneging order has not returned yet.
    var returns: [UInt64: [String: Int]] = [:]
    /// The level before the last change of each fruit.
    var before: [String: Int] = [:]

    /// An order in the stand.
    struct AuditedOrder {
        var juice: String
        var cups: Int
        var placed: Int64
        var started: Int64?
        var taken: [String: Int] = [:]
    }

    package init() {}

    /// Audits the next file of a ledger.
    ///
    /// - Complexity: O(*n*) for *n* bytes; memory grows with the orders in the stand.
    package mutating func read(_ bytes: [UInt8], source: String) {
        begin(source)
        feed(bytes)
        end()
    }

    /// Audits the next file of a ledger piece by piece.
    ///
    /// - Throws: `FileError` if it can't be read to the end; the bytes read so far are audited.
    package mutating func read(file path: String) throws(FileError) {
        begin(path)
        try readFile(path) { feed($0) }
        end()
    }

    private mutating func begin(_ source: String) {
        place = Place(source: source, line: 0, column: 1)
        cut = []
    }

    private mutating func feed(_ bytes: ArraySlice<UInt8>) { feed(Array(bytes)) }

    private mutating func feed(_ bytes: [UInt8]) {
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            place.line += 1
            if cut.isEmpty {
                readLine(bytes[start..<end])
            } else {
                let whole = cut + bytes[start..<end]
                cut = []
                readLine(whole[...])
            }
            start = end + 1
        }
        cut += bytes[start...]
    }

    private mutating func end() {
        guard !cut.isEmpty else { return }
        place.line += 1
        report("the line is torn: it has no end")
        cut = []
    }

    mutating func report(_ message: String) {
        finding.problemCount += 1
        if finding.problems.count < Self.mostProblems {
            finding.problems.append(TextProblem(place: place, message: message))
        }
    }

    private mutating func readLine(_ bytes: ArraySlice<UInt8>) {
        if let line = LedgerLine(bytes) {
            check(line.members)
            return
        }
        let parsed = JSON5Parser.parse(bytes, source: place.source)
        guard parsed.problems.isEmpty, case .object(let members)? = parsed.root?.value else {
            return report("must be a JSON object, found \(String(decoding: bytes.prefix(40), as: UTF8.self))")
        }
        if check(members.map { ($0.key, $0.node.value) }), !Self.isStrict(bytes) {
            report("must be JSON without spaces, as the stand writes it")
        }
    }

    /// - Returns: whether it is a ledger line.
    @discardableResult
    private mutating func check(_ members: [(key: String, value: JSONNode.Value)]) -> Bool {
        guard members.count >= 3, members.prefix(3).map(\.key) == Self.firstKeys,
            case .number(_, let sequence) = members[0].value, case .number(_, let at) = members[1].value,
            case .string(let event) = members[2].value, let sequence = UInt64(sequence), sequence < 1 << 63,
            let time = Self.nanoseconds(at)
        else {
            report("must begin with seq, at with nine decimals, and event")
            return false
        }
        finding.events += 1
        checkOrder(sequence, time, at)
        let own = members.dropFirst(3)
        guard let kind = FactKind(name: event) else {
            report("unknown event \"\(event)\"")
            return true
        }
        let rule = Self.rules[kind.rawValue]
        guard rule.keys.contains(where: { $0.elementsEqual(own.lazy.map(\.key)) }) else {
            report("\(event) has the keys \(own.map(\.key).joined(separator: ", "))")
            return true
        }
        if finding.isClosed { report("\(event) after the stand was closed") }
        if !rule.check(&self, LedgerFields(own)) { report("\(event) has a value of the wrong kind") }
        finding.present = orders.count
        return true
    }

    private static let firstKeys = ["seq", "at", "event"]
    /// By the raw value of the kind.
    private static let rules = FactKind.allCases.map(rule(for:))

    private mutating func checkOrder(_ sequence: UInt64, _ time: Int64, _ at: String) {
        if let expected = expectedSequence {
            if sequence != expected { report("seq must be \(expected), found \(sequence)") }
        } else {
            startsLater = sequence != 1
        }
        expectedSequence = sequence + 1
        if time < nanoseconds { report("at must not be before that of the line above, found \(at)") }
        nanoseconds = time
        finding.lastTime = at
    }

    /// Parses seconds with exactly nine decimals; nil for any other text.
    static func nanoseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 9, text.utf8.allSatisfy({ $0 == 0x2E || ASCII.isDigit($0) }) else {
            return nil
        }
        return Int64(parts[0] + parts[1])
    }

    /// Whether a line that parses as JSON5 is also JSON without spaces, with quoted keys.
    private static func isStrict(_ line: ArraySlice<UInt8>) -> Bool {
        var isText = false
        var isEscaped = false
        var previous = UInt8(ascii: ":")
        for byte in line {
            if isText {
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                let beginsKey = previous == UInt8(ascii: "{") || previous == UInt8(ascii: ",")
                let isEmptyObject = previous == UInt8(ascii: "{") && byte == UInt8(ascii: "}")
                isText = byte == UInt8(ascii: "\"")
                guard isText || (!beginsKey && "{}:,.-e0123456789".utf8.contains(byte)) || isEmptyObject else {
                    return false
                }
            }
            previous = byte
        }
        return true
    }
}

/// The event's own fields.
struct LedgerFields {
    private let members: ArraySlice<(key: String, value: JSONNode.Value)>

    init(_ members: ArraySlice<(key: String, value: JSONNode.Value)>) {
        self.members = members
    }

    /// The value of the last field with that key.
    private func value(_ key: String) -> JSONNode.Value? { members.last { $0.key == key }?.value }

    func text(_ key: String) -> String? {
        if case .string(let text)? = value(key) { text } else { nil }
    }

    func integer(_ key: String) -> Int? {
        // No stand counts further, and sums of larger numbers could overflow.
        guard case .number(_, let text)? = value(key), let number = Int(text), abs(Double(number)) <= 1e12 else {
            return nil
        }
        return number
    }

    func order(_ key: String = "order") -> UInt64? {
        if case .number(_, let text)? = value(key) {
            Int64(text).flatMap { $0 > 0 && $0 < .max ? UInt64($0) : nil }
        } else {
            nil
        }
    }

    func isNumber(_ key: String) -> Bool {
        if case .number? = value(key) { true } else { false }
    }

    func time(_ key: String) -> Int64? {
        if case .number(_, let text)? = value(key) { LedgerAudit.nanoseconds(text) } else { nil }
    }

    /// Levels by fruit; nil for an unlimited fruit.
    func levels(_ key: String) -> [(fruit: String, level: Int?)]? {
        guard case .object(let members)? = value(key) else { return nil }
        var levels: [(String, Int?)] = []
        for member in members {
            switch member.node.value {
            case .string("unlimited"): levels.append((member.key, nil))
            case .number(_, let text):
                guard let level = Int(text) else { return nil }
                levels.append((member.key, level))
            default: return nil
            }
        }
        return levels
    }
}
