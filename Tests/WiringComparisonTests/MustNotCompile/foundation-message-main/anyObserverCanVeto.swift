struct Sold: NotificationCenter.MainActorMessage { typealias Subject = NotificationCenter }
@MainActor func f(_ c: NotificationCenter) {
    let answers: [Bool] = c.post(Sold())
    // error: cannot convert value of type '()' to specified type '[Bool]'
    _ = answers
}
