final class Cup { var full = true }
protocol Observer: AnyObject { func sold(_ c: Cup) }
func f(_ d: (any Observer)?, _ c: Cup) { d?.sold(c) }
