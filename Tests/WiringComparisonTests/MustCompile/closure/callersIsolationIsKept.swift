final class S { var handlers: [(Int) -> Void] = [] }
actor D {
    var cups = 0
    func f(_ s: S) { s.handlers.append { self.cups += $0 } }
}
