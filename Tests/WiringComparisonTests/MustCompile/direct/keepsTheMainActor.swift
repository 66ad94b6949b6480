@MainActor final class D {
    var cups = 0
    func sold(_ c: Int) { cups += c }
}
@MainActor func f(_ d: D) { d.sold(1) }
