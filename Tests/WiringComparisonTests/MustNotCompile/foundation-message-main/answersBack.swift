struct Sold: NotificationCenter.MainActorMessage { typealias Subject = NotificationCenter }
@MainActor func f(_ c: NotificationCenter) {
    let left: Int = c.post(Sold())
    // error: cannot convert value of type '()' to specified type 'Int'
    _ = left
}
