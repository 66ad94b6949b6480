@MainActor @Observable final class S { var cups = 0 }
func f(_ s: S) async { for await x in Observations({ @MainActor in s.cusp }) { print(x) } }
// error: value of type 'S' has no member 'cusp'
@MainActor func g(_ s: S) { s.cups = "1" }
// error: cannot assign value of type 'String' to type 'Int'
