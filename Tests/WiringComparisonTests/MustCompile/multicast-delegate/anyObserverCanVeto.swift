protocol Observer: AnyObject { func maySell() -> Bool }
func f(_ list: [any Observer]) {
    let answers: [Bool] = list.map { $0.maySell() }
    _ = answers
}
