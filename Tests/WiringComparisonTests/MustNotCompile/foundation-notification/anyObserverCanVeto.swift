func f(_ c: NotificationCenter) {
    let answers: [Bool] = c.post(name: .init("sold"), object: nil)
    // error: cannot convert value of type '()' to specified type '[Bool]'
    _ = answers
}
