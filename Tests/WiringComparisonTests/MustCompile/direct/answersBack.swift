final class D { func sold() -> Int { 1 } }
func f(_ d: D) {
    let left: Int = d.sold()
    _ = left
}
