import TextFormats

/// Where a value is in settings.
typealias ValuePath<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

/// A row of a table: a key of an object with the form and the place of its value.
struct Setting<Root: Sendable>: Sendable {
    let key: ConfigurationKey
    /// Reads the value into the root. Returns false if the key is absent or its value is wrong.
    let read: @Sendable (Found, inout Root) -> Bool
    /// Returns nil if the key is left out.
    let write: @Sendable (Root, Purpose) -> JSONValue?
}

extension Setting {
    /// - Parameters:
    ///   - required: What the value must be, in the words of an error message; nil if the key is optional.
    ///   - isLeftOut: Whether a resolved configuration leaves the value out.
    ///   - about: One sentence.
    init<Value>(
        _ name: String, _ place: ValuePath<Root, Value>, _ form: Form<Value>, required: String? = nil,
        isLeftOut: @escaping @Sendable (Value) -> Bool = { _ in false }, change: ConfigurationKey.Change? = nil,
        scope: Purpose = .fingerprint, _ about: String
    ) {
        let key = ConfigurationKey(
            spellings: [.init(name: name, shape: form.shape, about: about)], required: required, change: change,
            scope: scope)
        self.init(key: key) { object, root in
            guard let value = object[name].flatMap(form.read) else { return false }
            root[keyPath: place] = value
            return true
        } write: { root, purpose in
            let value = root[keyPath: place]
            return isLeftOut(value) ? nil : form.write(value, purpose)
        }
    }

    /// An optional key without a default.
    init<Value>(
        _ name: String, _ place: ValuePath<Root, Value?>, _ form: Form<Value>,
        change: ConfigurationKey.Change? = nil, scope: Purpose = .fingerprint, _ about: String
    ) {
        let optional = form.mapped({ Value?.some($0) }, back: { $0! })
        self.init(name, place, optional, isLeftOut: { $0 == nil }, change: change, scope: scope, about)
    }

    /// A rule or law that an object chooses by its only key. If several keys are given, the first one counts.
    ///
    /// - Parameter parameters: Returns nil for the value of another rule or law.
    init<Value, Parameters>(
        choosing name: String, _ form: Form<Parameters>, _ about: String,
        _ make: @escaping @Sendable (Parameters) -> Value, parameters: @escaping @Sendable (Value) -> Parameters?
    ) where Root == Value? {
        self.init(key: ConfigurationKey(spellings: [.init(name: name, shape: form.shape, about: about)])) {
            object, root in
            guard let value = object[name].flatMap(form.read) else { return false }
            root = root ?? make(value)
            return true
        } write: { root, purpose in
            root.flatMap(parameters).map { form.write($0, purpose) }
        }
    }
}
