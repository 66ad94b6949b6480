struct Cup: ~Copyable {}
final class D { func sold(_ c: borrowing Cup) {} }
func f(_ d: D) { d.sold(Cup()) }
