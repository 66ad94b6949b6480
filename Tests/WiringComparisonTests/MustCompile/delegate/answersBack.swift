protocol Observer: AnyObject { func sold() -> Int }
func f(_ d: (any Observer)?) {
    let left: (Int)? = d?.sold()
    _ = left
}
