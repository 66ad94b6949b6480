final class D { func sold(_ c: inout Int) {} }
func f(_ d: D) {
    var c = 1
    d.sold(&c)
    c += 1
}
