final class KeyPathTill {
    var sale = Sale(order: 0) { didSet { hasChanged(\.sale) } }
    private var handlers: [(path: PartialKeyPath<KeyPathTill>, key: Int, call: (KeyPathTill) -> Void)] = []
    private var lastKey = 0
    private func hasChanged(_ path: PartialKeyPath<KeyPathTill>) {
        for handler in handlers where handler.path == path { handler.call(self) }
    }
    func observe<Value>(_ path: KeyPath<KeyPathTill, Value>, _ call: @escaping (Value) -> Void) -> Int {
        lastKey += 1
        handlers.append((path, lastKey, { call($0[keyPath: path]) }))
        return lastKey
    }
    func cancel(_ key: Int) { handlers.removeAll { $0.key == key } }
}

// MARK: - In the comparison

extension KeyPathTill: Idiom {
    func observe(_ display: Display) -> Int { observe(\.sale) { display.note($0) } }
    func post(_ sale: Sale) { self.sale = sale }
    var isHeard: Bool? { !handlers.isEmpty }
}

extension Profile {
    static let keyPath = Profile(
        choice: .keyPath, file: "KeyPathTill.swift",
        configuration: "a property whose didSet calls the closures that are registered for its key path",
        advice: Advice(
            "properties, one thread", (.nameAndPayloadCheckedByCompiler, true), (.acceptsInoutPayload, false)
        ),
        plain: Form { _ in KeyPathTill() }, exceptions: [.oneThread], grounds: [.loop, .throwing, .removes, .poster],
        refuted: [.noLock])
}
