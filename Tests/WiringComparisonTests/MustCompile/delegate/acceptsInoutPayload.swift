protocol Observer: AnyObject { func sold(_ c: inout Int) }
func f(_ d: (any Observer)?) {
    var c = 1
    d?.sold(&c)
    c += 1
}
