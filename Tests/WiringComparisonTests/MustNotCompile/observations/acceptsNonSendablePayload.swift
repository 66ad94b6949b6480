final class Cup { var full = true }
@MainActor @Observable final class S { var cup: Cup = Cup() }
func f(_ s: S) async { for await x in Observations({ @MainActor in s.cup }) { print(x) } }
// error: type 'Cup' does not conform to the 'Sendable' protocol
