func f(_ list: [() -> Bool]) {
    let answers: [Bool] = list.map { $0() }
    _ = answers
}
