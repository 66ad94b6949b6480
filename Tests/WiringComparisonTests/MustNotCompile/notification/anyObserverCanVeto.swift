struct Sold: TypedNotification {}
func f(_ c: TypedNotificationCenter) {
    let answers: [Bool] = c.post(Sold())
    // error: cannot convert value of type '()' to specified type '[Bool]'
    _ = answers
}
