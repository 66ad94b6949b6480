final class D: Sendable { func sold() async {} }
func f(_ d: D) async { await d.sold() }
