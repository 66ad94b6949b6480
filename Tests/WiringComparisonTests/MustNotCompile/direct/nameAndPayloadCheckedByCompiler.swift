final class D { func sold(_ cups: Int) {} }
func f(_ d: D) { d.slod(1) }
// error: value of type 'D' has no member 'slod'
func g(_ d: D) { d.sold("1") }
// error: cannot convert value of type 'String' to expected argument type 'Int'
