final class D { func maySell() -> Bool { true } }
func f(_ list: [D]) {
    let answers: [Bool] = list.map { $0.maySell() }
    _ = answers
}
