@Observable final class S { var cups = 0 }
func f(_ s: S) { s.cups = 1 }
