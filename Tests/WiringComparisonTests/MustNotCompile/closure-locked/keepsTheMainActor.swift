final class S { var handlers: [@Sendable (Int) -> Void] = [] }
@MainActor final class D {
    var cups = 0
    func f(_ s: S) { s.handlers.append { self.cups += $0 } }
    // error: main actor-isolated property 'cups' can not be mutated from a Sendable closure
}
