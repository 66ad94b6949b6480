extension DelimitedReader {
    mutating func nextObject(_ record: inout DelimitedRecord) throws(TextProblem) -> Bool {
        while let end = scanner.nextLine() {
            let line = scanner.start..<end
            record.place.line = scanner.line
            guard scanner.bytes[line].contains(where: { $0 > ASCII.space }) else { continue }
            record.bytes = scanner.bytes
            record.start = scanner.start
            record.columns = nil
            if !fill(&record.fields, from: FlatLine(record.bytes, in: line)) {
                let (root, problems) = Self.parse(scanner.bytes[line], source, scanner.line)
                if let problem = problems.first { throw problem }
                if let root { try fill(&record, from: root) }
            }
            return true
        }
        return false
    }

    /// A line that is not UTF-8 is read as Latin-1.
    private static func parse(
        _ line: ArraySlice<UInt8>, _ source: String, _ number: Int
    ) -> (root: JSONNode?, problems: [TextProblem]) {
        JSON5Parser.parse(Array(DelimitedRecord.text(line).utf8)[...], source: source, firstLine: number)
    }

    /// The keys of the first objects, in the order of their first occurrence, and the texts of these objects by key.
    /// Both are empty if the first line is no object.
    static func objects(in bytes: ArraySlice<UInt8>) -> (keys: [String], rows: [[String]]) {
        var keys: [String] = []
        var objects: [[String: String]] = []
        for line in bytes.split(separator: ASCII.lineFeed, maxSplits: CSVLayout.mostRows).prefix(CSVLayout.mostRows) {
            guard case .object(let members)? = parse(line, "", 1).root?.value else {
                if keys.isEmpty { break }
                continue
            }
            var object: [String: String] = [:]
            for member in members {
                guard let text = Self.text(of: member.node) else { continue }
                object[member.key] = text
                if !keys.contains(member.key) { keys.append(member.key) }
            }
            objects.append(object)
        }
        return (keys, objects.map { object in keys.map { object[$0] ?? "" } })
    }

    /// Fills the fields from the usual line, of which no tree is made.
    ///
    /// - Returns: False if the parser must read the line instead.
    private func fill(_ fields: inout [DelimitedRecord.Field?], from line: FlatLine) -> Bool {
        var line = line
        fields.removeAll(keepingCapacity: true)
        for _ in keys { fields.append(nil) }
        var isFound: UInt64 = 0
        guard keys.count <= 64 else { return false }
        while let (key, value) = line.member() {
            for index in keys.indices where line.isEqual(key, keys[index]) {
                // The parser reports a key that occurs twice.
                guard isFound & 1 << UInt64(index) == 0 else { return false }
                isFound |= 1 << UInt64(index)
                switch value {
                case .null: break
                case .bool(let range), .number(let range), .text(let range):
                    fields[index] = .init(start: range.lowerBound, end: range.upperBound)
                }
            }
        }
        return line.end() && line.isUTF8
    }

    /// Fills a record from a tree, which has the texts without escapes.
    private func fill(_ record: inout DelimitedRecord, from root: JSONNode) throws(TextProblem) {
        guard case .object(let members) = root.value else {
            throw TextProblem(place: root.place, message: "expected an object on each line of JSON Lines")
        }
        var bytes: [UInt8] = []
        var places: [Int] = []
        record.fields.removeAll(keepingCapacity: true)
        for column in columns {
            let found = members.filter { $0.key == column }
            guard found.count < 2 else {
                let message = "expected the key \(column.inQuotes) once, found it twice"
                throw TextProblem(place: found[1].keyPlace, message: message)
            }
            let start = bytes.count
            if let member = found.first {
                guard let text = Self.text(of: member.node) else {
                    let message = "expected a string, a number, true, false or null for \(column.inQuotes)"
                    throw TextProblem(place: member.node.place, message: message)
                }
                bytes += text?.utf8 ?? "".utf8
                record.fields.append(text == nil ? nil : .init(start: start, end: bytes.count))
            } else {
                record.fields.append(nil)
            }
            places.append((found.first?.node.place.column ?? 1) - 1)
        }
        record.bytes = bytes
        record.columns = places
    }

    /// The text of a value, or null; nil for a nested value.
    private static func text(of node: JSONNode) -> String?? {
        switch node.value {
        case .null: .some(nil)
        case .bool(let value): value ? "true" : "false"
        case .number(_, let text), .string(let text): text
        case .array, .object, .invalid: nil
        }
    }
}
