final class D {}
final class S {
    let d: D
    init(_ d: D) { self.d = d }
}
func f() { _ = S() }
// error: missing argument for parameter #1 in call
