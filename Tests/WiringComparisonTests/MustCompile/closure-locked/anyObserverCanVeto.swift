func f(_ list: [@Sendable () -> Bool]) {
    let answers: [Bool] = list.map { $0() }
    _ = answers
}
