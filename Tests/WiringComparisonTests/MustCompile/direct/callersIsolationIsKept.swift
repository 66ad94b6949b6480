actor D {
    var cups = 0
    func sold(_ c: Int) { cups += c }
}
func f(_ d: isolated D) { d.sold(1) }
