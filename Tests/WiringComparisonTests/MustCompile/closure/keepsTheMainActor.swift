final class S { var handlers: [(Int) -> Void] = [] }
@MainActor final class D {
    var cups = 0
    func f(_ s: S) { s.handlers.append { self.cups += $0 } }
}
