final class Cup { var full = true }
final class D { func sold(_ c: Cup) {} }
func f(_ d: D, _ c: Cup) { d.sold(c) }
