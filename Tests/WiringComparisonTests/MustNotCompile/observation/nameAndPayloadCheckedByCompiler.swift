@Observable final class S { var cups = 0 }
func f(_ s: S) { s.cusp = 1 }
// error: value of type 'S' has no member 'cusp'
func g(_ s: S) { s.cups = "1" }
// error: cannot assign value of type 'String' to type 'Int'
