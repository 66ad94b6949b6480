final class ClosureTill {
    var handler: ((Sale) -> Void)?
    func post(_ sale: Sale) { handler?(sale) }
}
final class ClosureListTill {
    private var handlers: [(key: Int, call: (Sale) -> Void)] = []
    private var lastKey = 0
    func post(_ sale: Sale) { for handler in handlers { handler.call(sale) } }
    func observe(_ call: @escaping (Sale) -> Void) -> Int {
        lastKey += 1
        handlers.append((lastKey, call))
        return lastKey
    }
    func cancel(_ key: Int) { handlers.removeAll { $0.key == key } }
}

// MARK: - In the comparison

extension ClosureTill: Idiom {
    func observe(_ display: Display) { handler = { display.note($0) } }
    func cancel(_ key: Void) { handler = nil }
}

extension ClosureListTill: Idiom {
    func observe(_ display: Display) -> Int { observe { display.note($0) } }
    var isHeard: Bool? { !handlers.isEmpty }
}

/// A poster with a constant closure, which is handed over at init.
private final class ConstantTill: FixedIdiom {
    private let handler: (Sale) -> Void
    init(_ handler: @escaping (Sale) -> Void) { self.handler = handler }
    func post(_ sale: Sale) { handler(sale) }
}

extension Profile {
    static let closure = Profile(
        choice: .closure, file: "ClosureTill.swift",
        configuration: "a closure in an optional property; from 2 observers on an array of closures",
        advice: Advice(
            "a few, on one thread", (.callersIsolationIsKept, true), (.acceptsInoutPayload, true),
            (.acceptsNonSendablePayload, true)),
        plain: Form { $0.count == 1 ? ClosureTill() as any Idiom : ClosureListTill() }, exceptions: [.oneThread],
        grounds: [.loop, .throwing, .removes, .copy, .poster], refuted: [.noLock],
        options: [
            Form("a let closure, handed over at init", .forgottenWiringIsAnError) { displays in
                ConstantTill { [display = displays[0]] in display.note($0) }
            },
            Form("an array of one closure") { _ in ClosureListTill() },
        ])
}
