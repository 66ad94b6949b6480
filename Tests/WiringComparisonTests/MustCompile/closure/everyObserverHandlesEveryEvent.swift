final class S {
    var sold: [() -> Void] = []
    var low: [() -> Void] = []
}
func f(_ s: S) { s.sold.append { print(1) } }
