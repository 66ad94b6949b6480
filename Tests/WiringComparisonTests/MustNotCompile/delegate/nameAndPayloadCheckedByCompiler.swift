protocol Observer: AnyObject { func sold(_ cups: Int) }
func f(_ d: (any Observer)?) { d?.slod(1) }
// error: value of type 'any Observer' has no member 'slod'
func g(_ d: (any Observer)?) { d?.sold("1") }
// error: cannot convert value of type 'String' to expected argument type 'Int'
