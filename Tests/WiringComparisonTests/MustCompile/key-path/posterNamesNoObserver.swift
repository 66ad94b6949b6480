final class Till {
    var cups = 0 { didSet { hasChanged(\.cups) } }
    var handlers: [(path: PartialKeyPath<Till>, call: (Till) -> Void)] = []

    func hasChanged(_ path: PartialKeyPath<Till>) {
        for handler in handlers where handler.path == path { handler.call(self) }
    }
}
