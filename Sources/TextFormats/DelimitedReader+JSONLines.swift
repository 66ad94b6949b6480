extension DelimitedReader {
    func readJSONLines(
        _ columns: [String], _ body: (DelimitedRecord) throws(TextProblem) -> Void, _ report: (TextProblem) -> Bool
    ) {
        var record = DelimitedRecord(place: Place(source: source, line: 0, column: 1))
        let keys = columns.map { Array($0.utf8) }
        var text = text
        var next = start
        while next < text.bytes.count || !text.isAtEnd {
            let line = text.bytes[min(next, text.bytes.count)...].prefix { $0 != ASCII.lineFeed }
            if line.endIndex == text.bytes.count, !text.isAtEnd {
                text.readOn(dropping: line.startIndex)
                next = 0
                continue
            }
            next = line.endIndex + 1
            record.place.line += 1
            guard line.contains(where: { $0 > ASCII.space }) else { continue }
            record.removeFields()
            let isUTF8 = Self.isUTF8(line)
            let bytes = isUTF8 ? text.bytes : Array(DelimitedRecord.text(line).utf8)
            let range = isUTF8 ? line.indices : bytes.indices
            var flat = FlatObject(bytes, range)
            let isFlat = flat.fill(&record, keys)
            do throws(TextProblem) {
                if !isFlat {
                    let (root, found) = JSON5Parser.parse(
                        bytes[range], source: source, firstLine: record.place.line)
                    for problem in found { guard report(problem) else { return } }
                    guard found.isEmpty, let root else { continue }
                    try Self.fill(&record, columns, from: root)
                }
                try body(record)
            } catch {
                guard report(error) else { return }
            }
        }
    }

    /// Other lines are read as Latin-1.
    private static func isUTF8(_ line: ArraySlice<UInt8>) -> Bool {
        !line.contains { $0 >= 0x80 } || String(validating: line, as: UTF8.self) != nil
    }

    /// The keys of the first objects, in the order in which they come first; none if the first line is no object.
    static func keys(of bytes: ArraySlice<UInt8>, _ source: String) -> [String] {
        let mostLines = 200
        var keys: [String] = []
        for line in bytes.split(separator: ASCII.lineFeed, maxSplits: mostLines).prefix(mostLines) {
            let line = isUTF8(line) ? line : Array(DelimitedRecord.text(line).utf8)[...]
            guard let root = JSON5Parser.parse(line, source: source, firstLine: 1).root,
                case .object(let members) = root.value
            else {
                if keys.isEmpty { return [] }
                continue
            }
            for member in members where !keys.contains(member.key) {
                switch member.node.value {
                case .array, .object, .invalid: break
                case .null, .bool, .number, .string: keys.append(member.key)
                }
            }
        }
        return keys
    }

    private static func fill(
        _ record: inout DelimitedRecord, _ columns: [String], from root: JSONNode
    ) throws(TextProblem) {
        guard case .object(let members) = root.value else {
            throw TextProblem(place: root.place, message: "expected an object on each line of JSON Lines")
        }
        record.removeFields()
        var starts: [Int] = []
        for column in columns {
            var text: String?
            var member: JSONNode.Member?
            for candidate in members where candidate.key == column {
                guard member == nil else {
                    let message = "expected the key \(column.inQuotes) once, found it twice"
                    throw TextProblem(place: candidate.keyPlace, message: message)
                }
                member = candidate
                text = try Self.text(of: candidate)
            }
            let start = record.own.count
            record.own += text?.utf8 ?? "".utf8
            record.fields.append(text == nil ? nil : .init(range: start..<record.own.count, isOwn: true))
            starts.append((member?.node.place.column ?? 1) - 1)
        }
        record.columns = starts
    }

    private static func text(of member: JSONNode.Member) throws(TextProblem) -> String? {
        switch member.node.value {
        case .null: return nil
        case .bool(let value): return value ? "true" : "false"
        case .number(_, let text): return text
        case .string(let text): return text
        case .array, .object, .invalid:
            let message = "expected a string, a number, true, false or null for \(member.key.inQuotes)"
            throw TextProblem(place: member.node.place, message: message)
        }
    }
}
