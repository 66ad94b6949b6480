import TextFormats

/// How a value is written in a configuration: reading it, writing it resolved, and its shape with the schema.
struct Form<Value: Sendable>: Sendable {
    let shape: Shape
    let write: @Sendable (Value, Purpose) -> JSONValue
    /// Returns nil after reporting a wrong value.
    let read: @Sendable (Found) -> Value?
}

/// The purpose for which a configuration is written. Each purpose needs fewer keys than the one before.
enum Purpose: Int {
    case everything
    /// Results and ledgers, which do not depend on what displays show.
    case results
    /// The hash that identifies what can happen.
    case fingerprint
}

extension Form {
    /// - Parameter json: The value as it is written for every purpose.
    init(
        _ schema: JSONValue, _ json: @escaping @Sendable (Value) -> JSONValue,
        read: @escaping @Sendable (Found) -> Value?
    ) {
        shape = Shape(schema: schema)
        write = { value, _ in json(value) }
        self.read = read
    }
}

// MARK: - Simple values

extension Form where Value == String {
    static var text: Form { text(must: "another text") { _ in true } }

    /// A text without control characters that fulfils a further condition.
    ///
    /// - Parameter expected: The condition, in the words of the error message.
    static func text(
        _ schema: JSONValue = ConfigurationSchema.reference("text"), must expected: String,
        where isValid: @escaping @Sendable (String) -> Bool
    ) -> Form {
        Form(schema, JSONValue.string) { found in
            guard case .string(let text) = found.node.value, text.isPrintable else {
                return found.refuse("a string without control characters")
            }
            return isValid(text) ? text : found.refuse(expected)
        }
    }
}

extension Form where Value == Bool {
    static var flag: Form {
        Form(["type": "boolean"], JSONValue.bool) { found in
            if case .bool(let value) = found.node.value { value } else { found.refuse("true or false") }
        }
    }
}

extension Form where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var choice: Form {
        let names = Value.allCases.map(\.rawValue)
        let expected = "one of " + names.map { "\"\($0)\"" }.joined(separator: ", ")
        return Form(["enum": .strings(names)]) {
            .string($0.rawValue)
        } read: { found in
            guard case .string(let text) = found.node.value else { return found.refuse(expected) }
            if let choice = Value(rawValue: text) { return choice }
            found.problem("must be \(expected), found \(found.text)\(hint(text, among: names))")
            return nil
        }
    }
}

extension Form where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Form {
        let schema: JSONValue = [
            "type": "integer", "minimum": .whole(range.lowerBound), "maximum": .whole(range.upperBound),
        ]
        return Form(schema, JSONValue.whole) { found in
            guard case .number(let double, let text) = found.node.value, let value = Int(text) ?? Int(exactly: double)
            else {
                return found.refuse("a whole number from \(range.lowerBound) to \(range.upperBound)\(found.orElse)")
            }
            return found.check(value, range)
        }
    }

    /// A whole number, or `Int.max` for `"unlimited"`.
    static func limit(_ range: ClosedRange<Int>) -> Form {
        integer(range).or("unlimited").mapped({ $0 ?? .max }, back: { $0 == .max ? nil : $0 })
    }
}

extension Form where Value == Double {
    static func number(_ range: ClosedRange<Double>) -> Form {
        let schema: JSONValue = [
            "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
        ]
        return Form(schema, JSONValue.number) { $0.number(range) }
    }

    /// A number in a range whose bounds are above 0.
    static func positive(_ range: ClosedRange<Double>) -> Form {
        Form(number(range).shape.schema, JSONValue.number) {
            $0.positive($0.number(0...range.upperBound), least: range.lowerBound)
        }
    }

    /// A number in some unit.
    static func amount(_ unit: DistributionUnit, least: Double = 0) -> Form {
        switch unit {
        case .seconds:
            Form(ConfigurationSchema.reference(least > 0 ? "duration" : "durationOrZero"), JSONValue.number) {
                $0.positive($0.duration()?.seconds, least: least)
            }
        case .count: positive(least...1e9)
        }
    }
}

extension Form where Value == SimulationTime {
    /// A span of time above 0.
    static var duration: Form { span("duration", least: SimulationTime(nanoseconds: 1)) }
    /// A span of time of at least `leastPeriod`, after which something happens again.
    static var period: Form { span("period", least: .leastPeriod) }

    private static func span(_ definition: String, least: SimulationTime) -> Form {
        Form(ConfigurationSchema.reference(definition)) {
            .number($0.seconds)
        } read: { found in
            guard let span = found.duration() else { return nil }
            return span >= least ? span : found.refuse(span == .zero ? "longer than 0" : "1ms or longer")
        }
    }
}

extension SimulationTime {
    /// A millisecond. Shifts, reviews and shelf lives that are much shorter would bring a billion events a second.
    static let leastPeriod = SimulationTime(nanoseconds: 1_000_000)
}

// MARK: - Forms made of others

extension Form {
    /// The same text for a value of another type.
    func mapped<New>(
        _ new: @escaping @Sendable (Value) -> New, back old: @escaping @Sendable (New) -> Value
    ) -> Form<New> {
        Form<New>(shape: shape) { value, purpose in
            write(old(value), purpose)
        } read: { found in
            read(found).map(new)
        }
    }

    /// The same form or `word`, which stands for nil.
    func or(_ word: String) -> Form<Value?> {
        or(["const": .string(word)], .string(word), .string(word), " or \"\(word)\"")
    }

    /// The same form or `null`, which stands for nil.
    var orNull: Form<Value?> { or(["type": "null"], .null, .null) }

    private func or(
        _ other: JSONValue, _ json: JSONValue, _ node: JSONNode.Value, _ orElse: String = ""
    ) -> Form<Value?> {
        Form<Value?>(shape: .either(shape, Shape(schema: other))) { value, purpose in
            value.map { write($0, purpose) } ?? json
        } read: { found in
            found.node.value == node ? .some(nil) : read(found.or(orElse)).map { .some($0) }
        }
    }

    /// The same form, or an object of another form.
    ///
    /// - Parameters:
    ///   - orElse: All other allowed values, in the words of the error message.
    ///   - isObject: Whether a value is written as an object.
    func or(_ object: Form, _ orElse: String = "", where isObject: @escaping @Sendable (Value) -> Bool) -> Form {
        Form(shape: .either(shape, object.shape)) { value, purpose in
            isObject(value) ? object.write(value, purpose) : write(value, purpose)
        } read: { found in
            found.isObject ? object.read(found) : read(found.or(orElse))
        }
    }

    /// The same text with another schema.
    func described(_ schema: JSONValue) -> Form { Form(shape: Shape(schema: schema), write: write, read: read) }

    /// The same form with a check of the values that it reads.
    ///
    /// - Parameter problem: The message about a wrong value; nil for a right one.
    func checked(_ problem: @escaping @Sendable (Value, Found) -> String?) -> Form {
        Form(shape: shape, write: write) { found in
            let value = read(found)
            if let value, let message = problem(value, found) { found.problem(message) }
            return value
        }
    }

    /// A list of at least one element.
    ///
    /// - Parameter noun: The elements in the words of an error message, such as `numbers of makers`.
    static func list<Element>(_ element: Form<Element>, of noun: String) -> Form where Value == [Element] {
        let schema: JSONValue = ["type": "array", "items": element.shape.schema, "minItems": 1]
        return Form(shape: Shape(schema: schema)) { elements, purpose in
            .array(elements.map { element.write($0, purpose) })
        } read: { found in
            guard case .array(let nodes) = found.node.value, !nodes.isEmpty else {
                return found.refuse("a list of \(noun)")
            }
            let elements = nodes.enumerated().compactMap { index, node in
                element.read(Found(node: node, path: "\(found.path)[\(index)]", report: found.report))
            }
            return elements.count == nodes.count ? elements : nil
        }
    }
}

extension String {
    var isPrintable: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}

// MARK: - Objects

/// A member of an object whose keys the user chooses.
struct Named<Value: Sendable>: Sendable {
    var name: String
    var value: Value
}

extension Form {
    /// An object with known keys.
    ///
    /// - Parameters:
    ///   - initial: The object with the default of every absent key.
    ///   - rule: Reports what is wrong with the values together. False makes the value unusable.
    ///   - expected: Ends the message about any other number of keys than one; nil if there may be any number.
    /// - Returns: A form that reads nil if the object lacks a required key, or has a wrong value for it. Another wrong
    ///   value is reported, and its default read.
    static func object(
        _ initial: Value, _ settings: [Setting<Value>], oneKey expected: String? = nil,
        rule: @escaping @Sendable (Found, Value) -> Bool = { _, _ in true }
    ) -> Form {
        let keys = settings.map { setting in
            var key = setting.key
            // The members of a section have defaults of their own.
            if key.required == nil, !key.shape.isSection { key.standard = setting.write(initial, .everything) }
            return key
        }
        let shape = Shape(
            schema: ConfigurationSchema.object(keys, hasOneKey: expected != nil), members: .keys(keys),
            isSection: expected == nil)
        return Form(shape: shape) { value, purpose in
            .object(
                settings.compactMap { setting in
                    guard purpose.rawValue <= setting.key.scope.rawValue else { return nil }
                    return setting.write(value, purpose).map { .init(key: setting.key.name, value: $0) }
                })
        } read: { found in
            guard found.isObject(with: keys) else { return nil }
            if let expected, found.members.count != 1 { found.problem("must have one key\(expected)") }
            var value = initial
            var isUsable = true
            for setting in settings where !setting.read(found, &value) {
                if setting.key.required != nil { isUsable = false }
            }
            return isUsable && rule(found, value) ? value : nil
        }
    }

    /// An object whose keys the user chooses.
    ///
    /// - Parameters:
    ///   - least: The fewest members, for whose lack `noun` names what there must be.
    ///   - most: The most members, each with a name that can be displayed; nil for any number and any name.
    ///   - fallback: The value of a member that is wrong; nil leaves the member out.
    static func named<Element>(
        _ element: Form<Element>, atLeastOne noun: String? = nil, most: Int? = nil, fallback: Element? = nil
    ) -> Form where Value == [Named<Element>] {
        let schema: JSONValue = [
            "type": "object", "additionalProperties": element.shape.schema,
            "minProperties": noun == nil ? nil : 1, "maxProperties": most.map { .whole($0) },
        ]
        let shape = Shape(schema: schema, members: .named(element.shape, most: most), isSection: true)
        return Form(shape: shape) { members, purpose in
            .object(members.map { .init(key: $0.name, value: element.write($0.value, purpose)) })
        } read: { found in
            guard found.isObject(with: nil) else { return nil }
            let members = found.distinctMembers
            if let noun, members.isEmpty { found.problem("must have at least one \(noun)") }
            if let most { checkNames(of: members, in: found, most: most) }
            return members.prefix(most ?? .max).compactMap { member in
                (element.read(found.value(of: member)) ?? fallback).map { Named(name: member.key, value: $0) }
            }
        }
    }

    private static func checkNames(of members: [JSONNode.Member], in found: Found, most: Int) {
        if members.count > most { found.problem("must be at most \(most), found \(members.count)") }
        for member in members.prefix(most) where member.key.isEmpty || !member.key.isPrintable {
            found.report.add(
                member.keyPlace, found.path,
                "must have non-empty names without control characters, found \"\(member.key)\"")
        }
    }

    /// An object with one key, the name of a rule or law. All keys are read, so that one too many hides nothing that is
    /// wrong with another.
    ///
    /// - Parameter expected: Ends the message about any other number of keys.
    static func oneOf(_ choices: [Setting<Value?>], must expected: String) -> Form {
        let object = Form<Value?>.object(nil, choices, oneKey: expected)
        return Form(shape: object.shape) { value, purpose in
            let json = object.write(value, purpose)
            precondition(json.members.count == 1, "not one choice has \(String(describing: value))")
            return json
        } read: { found in
            object.read(found) ?? nil
        }
    }
}
