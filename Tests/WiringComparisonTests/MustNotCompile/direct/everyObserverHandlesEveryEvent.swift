final class D { func sold() {} }
func f(_ d: D) {
    d.sold()
    d.low()
    // error: value of type 'D' has no member 'low'
}
