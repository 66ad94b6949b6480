final class S {
    var sold: [@Sendable () -> Void] = []
    var low: [@Sendable () -> Void] = []
}
func f(_ s: S) { s.sold.append { print(1) } }
