/// A value in a JSON document.
package protocol DocumentValue: Equatable, Sendable {
    /// The value of `json`; nil if `json` is of another kind.
    static func read(_ json: JSONValue) -> Self?
    var json: JSONValue { get }
    /// The schema of the value, which begins with its `type`.
    static var schema: JSONValue { get }
}

/// A JSON object of a stand's HTTP API, declared once: a stand writes it, clients read it, and the OpenAPI document
/// describes it.
///
/// A client ignores unknown members. A member that is missing or of another kind keeps its default.
package protocol Document: DocumentValue {
    init()
    /// The members, in the order in which they are written.
    static var fields: [DocumentField<Self>] { get }
}

/// A member of a ``Document``.
package struct DocumentField<Root: Document>: Sendable {
    fileprivate let key: String
    fileprivate let schema: JSONValue
    fileprivate let isRequired: Bool
    /// The member's value in a document; nil leaves the member out.
    fileprivate let write: @Sendable (Root) -> JSONValue?
    fileprivate let read: @Sendable (JSONValue, inout Root) -> Void

    /// A member that every document has. A value that is nil is written as null.
    ///
    /// - Parameter schema: The member's schema; nil for the schema of the value's type.
    package init<Value: DocumentValue>(
        _ key: String, _ path: any WritableKeyPath<Root, Value> & Sendable, schema: JSONValue? = nil
    ) {
        self.key = key
        self.schema = schema ?? Value.schema
        isRequired = true
        write = { $0[keyPath: path].json }
        read = { json, root in
            if let value = Value.read(json) { root[keyPath: path] = value }
        }
    }

    /// A member that is left out while its value is nil.
    package init<Value: DocumentValue>(
        optional key: String, _ path: any WritableKeyPath<Root, Value?> & Sendable, schema: JSONValue? = nil
    ) {
        self.key = key
        self.schema = schema ?? Value.schema
        isRequired = false
        write = { $0[keyPath: path]?.json }
        read = { json, root in root[keyPath: path] = Value.read(json) }
    }

    /// A member whose value is an object of documents by their names.
    ///
    /// - Parameter isOptional: Whether the member is left out while there are no documents.
    package init<Value: NamedDocument>(
        named key: String, _ path: any WritableKeyPath<Root, [Value]> & Sendable, isOptional: Bool = false
    ) {
        self.key = key
        schema = NamedValues<Value>.schema
        isRequired = !isOptional
        write = { root in
            let values = root[keyPath: path]
            guard !values.isEmpty || !isOptional else { return nil }
            return NamedValues(values.map { (name: $0.name, value: $0) }).json
        }
        read = { json, root in
            let members = NamedValues<Value>.read(json)?.members ?? []
            root[keyPath: path] = members.map { $0.value.with(\.name, $0.name) }
        }
    }

    /// A member whose value is always `constant`, and so tells kinds of documents apart.
    package init(_ key: String, constant: String) {
        self.key = key
        schema = ["enum": [.string(constant)]]
        isRequired = true
        write = { _ in .string(constant) }
        read = { _, _ in }
    }
}

/// A document that an object holds by its name.
package protocol NamedDocument: Document {
    var name: String { get set }
}

extension Document {
    package init?(json: JSONValue) {
        guard case .object = json else { return nil }
        self.init()
        for field in Self.fields {
            if let value = json[field.key] { field.read(value, &self) }
        }
    }

    package static func read(_ json: JSONValue) -> Self? { Self(json: json) }

    package var json: JSONValue {
        .object(
            Self.fields.compactMap { field in
                field.write(self).map { JSONValue.Member(key: field.key, value: $0) }
            })
    }

    package static var schema: JSONValue {
        [
            "type": "object", "required": .strings(fields.filter(\.isRequired).map(\.key)),
            "properties": .object(fields.map { .init(key: $0.key, value: $0.schema) }),
            "additionalProperties": false,
        ]
    }

    /// A copy with another value.
    package func with<Value>(_ path: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }
}

// MARK: - Values

extension JSONValue: DocumentValue {
    package static func read(_ json: JSONValue) -> JSONValue? { json }
    package var json: JSONValue { self }
    package static var schema: JSONValue { [:] }
}

extension String: DocumentValue {
    package static func read(_ json: JSONValue) -> String? { json.text }
    package var json: JSONValue { .string(self) }
    package static var schema: JSONValue { ["type": "string"] }
}

extension Bool: DocumentValue {
    package static func read(_ json: JSONValue) -> Bool? { if case .bool(let value) = json { value } else { nil } }
    package var json: JSONValue { .bool(self) }
    package static var schema: JSONValue { ["type": "boolean"] }
}

extension Double: DocumentValue {
    package static func read(_ json: JSONValue) -> Double? { json.seconds }
    package var json: JSONValue { .number(self) }
    package static var schema: JSONValue { ["type": "number"] }
}

/// A length or a count, from 0 to 2^53.
extension Int: DocumentValue {
    package static func read(_ json: JSONValue) -> Int? { json.count }
    package var json: JSONValue { .whole(self) }
    package static var schema: JSONValue { ["type": "integer", "minimum": 0] }
}

/// A number of an event or of an order, or a seed, which may have 64 bits.
extension UInt64: DocumentValue {
    package static func read(_ json: JSONValue) -> UInt64? {
        switch json {
        case .integer(let number) where number >= 0: UInt64(number)
        case .number(let number) where number >= 0 && number < 0x1p64: UInt64(number)
        default: nil
        }
    }

    package var json: JSONValue { .whole(self) }
    package static var schema: JSONValue { Int.schema }
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
    package static func read(_ json: JSONValue) -> Wrapped?? {
        Wrapped.read(json).map { .some($0) } ?? (json == .null ? .some(nil) : nil)
    }

    package var json: JSONValue { self?.json ?? .null }

    package static var schema: JSONValue {
        var members = Wrapped.schema.members
        members[0].value = [members[0].value, "null"]
        return .object(members)
    }
}

extension Array: DocumentValue where Element: DocumentValue {
    /// Leaves out elements of another kind.
    package static func read(_ json: JSONValue) -> [Element]? {
        if case .array(let elements) = json { elements.compactMap { Element.read($0) } } else { nil }
    }

    package var json: JSONValue { .array(map(\.json)) }
    package static var schema: JSONValue { ["type": "array", "items": Element.schema] }
}

/// Values by name, in the order of the document.
package struct NamedValues<Value: DocumentValue>: DocumentValue {
    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: Value
    }

    package let members: [Member]

    package init(_ members: some Sequence<(name: String, value: Value)>) {
        self.members = members.map { Member(name: $0.name, value: $0.value) }
    }

    /// Leaves out values of another kind.
    package static func read(_ json: JSONValue) -> NamedValues? {
        guard case .object(let members) = json else { return nil }
        return NamedValues(members.compactMap { member in Value.read(member.value).map { (member.key, $0) } })
    }

    package var json: JSONValue { .object(members.map { .init(key: $0.name, value: $0.value.json) }) }
    package static var schema: JSONValue { ["type": "object", "additionalProperties": Value.schema] }

    /// - Complexity: O(*n*) for *n* names
    package subscript(_ name: String) -> Value? { members.first { $0.name == name }?.value }
}

extension NamedValues: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, Value)...) {
        self.init(members.map { (name: $0, value: $1) })
    }
}
