struct Cup: ~Copyable {}
protocol Observer: AnyObject { func sold(_ c: borrowing Cup) }
func f(_ d: (any Observer)?) { d?.sold(Cup()) }
