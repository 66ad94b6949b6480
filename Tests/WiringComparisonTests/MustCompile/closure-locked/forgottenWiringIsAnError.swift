final class S { var handlers: [(Int) -> Void] = [] }
func f(_ s: S) {}
