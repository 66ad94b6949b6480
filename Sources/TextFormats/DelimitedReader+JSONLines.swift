extension DelimitedReader {
    func readJSONLines(
        _ text: PiecedText, from start: Int, _ columns: [String],
        _ body: (DelimitedRecord) throws(TextProblem) -> Void, _ report: (TextProblem) -> Bool
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
            var flat = FlatObject(text.bytes, line.indices)
            let isFlat = flat.fill(&record, keys)
            do throws(TextProblem) {
                if !isFlat {
                    let (root, found) = JSON5Parser.parse(line, source: source, firstLine: record.place.line)
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

    /// The keys of the first object; none if the first line of text is not an object.
    func keysOfFirstObject(_ text: PiecedText) -> [String] {
        let lines = text.bytes.split(maxSplits: 1) { $0 == ASCII.lineFeed }
        guard let line = lines.first, let root = JSON5Parser.parse(line, source: source, firstLine: 1).root,
            case .object(let members) = root.value
        else { return [] }
        return members.map(\.key)
    }

    private static func fill(
        _ record: inout DelimitedRecord, _ columns: [String], from root: JSONNode
    ) throws(TextProblem) {
        guard case .object(let members) = root.value else {
            throw TextProblem(place: root.place, message: "expected an object on each line of JSON Lines")
        }
        record.fields.removeAll(keepingCapacity: true)
        record.starts.removeAll(keepingCapacity: true)
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
            record.fields.append(text)
            record.starts.append((member?.node.place.column ?? 1) - 1)
        }
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
