import Platform
import TextFormats

/// Audits a ledger without the configuration or the program that wrote it.
///
/// It checks that sequence numbers have no gap, time never runs backwards, every level follows from the lines that
/// change it, every order is complete, all orders of a juice took the same fruit per cup, and the closing line agrees
/// with the others. The first of several files may be missing; the audit then accepts what began before.
package struct LedgerAudit: Sendable {
    /// The counts of the audit, and the problems found.
    package struct Finding: Equatable, Sendable {
        package var events = 0
        package var orders = 0
        package var served = 0
        package var lost = 0
        /// Orders still in the stand at the last line.
        package var present = 0
        var nanoseconds: Int64 = 0
        package var isClosed = false
        /// At most ``LedgerAudit/mostProblems`` are kept.
        package var problems: [TextProblem] = []
        package var problemCount = 0
    }

    package static let mostProblems = 50

    package internal(set) var finding = Finding()
    /// The date and time of the opening, for ``lastTime``; nil if the first line was not read.
    var opens: String?
    /// The stand time of the last line: the time of day, or seconds if the first line was not read.
    package var lastTime: String {
        opens.map { StandClock(opens: $0, now: nanoseconds).present } ?? "\(nanoseconds / DurationText.second)s"
    }
    var place = Place(source: "")
    /// The start of a line whose end has not been read yet.
    private var cut: [UInt8] = []
    var expectedSequence: UInt64?
    var startsLater = false
    var nanoseconds: Int64 { finding.nanoseconds }
    /// Names, numbered as they come.
    var fruits = NameTable()
    var juices = NameTable()
    var levels = Numbered<Int>()
    var unlimited: Set<String> = []
    var lastOrder: UInt64?
    var orders: [UInt64: AuditedOrder] = [:]
    /// The fruit that a cup takes, by the number of the juice; nil before the first cup of the juice is served.
    var recipes = Numbered<[FruitChange]>()
    /// Pieces ordered and not delivered; negative only where the ledger starts later.
    var onOrder = Numbered<Int>()
    /// Delivered pieces that no line has put on the shelf yet.
    var toShelve = Numbered<Int>()
    /// Pieces that a reneging order has not returned yet.
    var returns: [UInt64: [FruitChange]] = [:]
    /// The level before the last change of each fruit.
    var before = Numbered<Int>()

    /// An order in the stand.
    struct AuditedOrder {
        /// The number of its name.
        var juice: Int
        var cups: Int
        var placed: Int64
        var started: Int64?
        /// The changes of the stock by its lines, by fruit; negative if the order took fruit.
        var taken: [FruitChange] = []

        mutating func change(_ fruit: Int, by pieces: Int) {
            for place in taken.indices where taken[place].fruit == fruit {
                taken[place].pieces += pieces
                return
            }
            taken.append((fruit, pieces))
        }
    }

    /// Pieces of the fruit of that number.
    typealias FruitChange = (fruit: Int, pieces: Int)

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
        try readFile(path) { feed(Array($0)) }
        end()
    }

    private mutating func begin(_ source: String) {
        place = Place(source: source, line: 0, column: 1)
        cut = []
    }

    private mutating func feed(_ bytes: [UInt8]) {
        var fields = LedgerFields()
        var start = 0
        while let end = Self.endOfLine(in: bytes, from: start) {
            place.line += 1
            if cut.isEmpty {
                readLine(bytes, start..<end, &fields)
            } else {
                let whole = cut + bytes[start..<end]
                cut = []
                readLine(whole, whole.indices, &fields)
            }
            start = end + 1
        }
        cut += bytes[start...]
    }

    /// The place of the next line feed; nil if there is none.
    static func endOfLine(in bytes: [UInt8], from start: Int) -> Int? {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard start < bytes.count, let first = bytes.baseAddress,
                let end = unsafe memchr(first + start, 10, bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(end) - UnsafeRawPointer(first)
        }
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

    /// - Parameter fields: Memory for the values of the line.
    mutating func readLine(_ bytes: [UInt8], _ range: Range<Int>, _ fields: inout LedgerFields) {
        var line = FlatLine(bytes, in: range)
        if let head = LedgerLine(&line), fields.read(&line, Self.rules[head.kind.rawValue]) {
            checkOrder(head.sequence, head.nanoseconds, found: fields.text(head.at))
            return check(head.kind, fields)
        }
        let parsed = JSON5Parser.parse(bytes[range], source: place.source)
        guard parsed.problems.isEmpty, case .object(let members)? = parsed.root?.value else {
            return report("must be a JSON object, found \(String(decoding: bytes[range].prefix(40), as: UTF8.self))")
        }
        if check(members), !Self.isStrict(bytes[range]) {
            report("must be JSON without spaces, as the stand writes it")
        }
    }

    /// Checks a line that is not as the stand writes it, or has an object.
    ///
    /// - Returns: whether it is a ledger line.
    private mutating func check(_ members: [JSONNode.Member]) -> Bool {
        let first = LedgerFields(members.prefix(3))
        guard members.prefix(3).map(\.key) == ["seq", "at", "event"], let sequence = first.whole("seq"), sequence >= 0,
            let time = first.time("at"), let name = first.text("event"), case .number(_, let at) = members[1].node.value
        else {
            report("must begin with seq, at with nine decimals, and event")
            return false
        }
        checkOrder(sequence, time, found: at)
        guard let kind = FactKind(name: name) else {
            report("unknown event \"\(name)\"")
            return true
        }
        let rule = Self.rules[kind.rawValue]
        let keys = members.dropFirst(3).map(\.key)
        guard rule.counts.contains(keys.count), rule.keys.starts(with: keys) else {
            report("\(name) has the keys \(keys.joined(separator: ", "))")
            return true
        }
        check(kind, LedgerFields(members.dropFirst(3)))
        return true
    }

    private mutating func check(_ kind: FactKind, _ fields: LedgerFields) {
        if finding.isClosed { report("\(kind.name) after the stand was closed") }
        if !Self.rules[kind.rawValue].check(&self, fields) { report("\(kind.name) has a value of the wrong kind") }
        finding.present = orders.count
    }

    /// The rules, by the raw value of the kind of fact.
    private static let rules = FactKind.allCases.map(rule(for:))

    private mutating func checkOrder(_ number: Int64, _ time: Int64, found: @autoclosure () -> String) {
        finding.events += 1
        let sequence = UInt64(number)
        if let expected = expectedSequence {
            if sequence != expected { report("seq must be \(expected), found \(sequence)") }
        } else {
            startsLater = sequence != 1
        }
        expectedSequence = sequence + 1
        if time < nanoseconds {
            report("at must not be before that of the line above, found \(found())")
        }
        finding.nanoseconds = time
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
