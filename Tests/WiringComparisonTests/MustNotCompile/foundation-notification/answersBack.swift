func f(_ c: NotificationCenter) {
    let left: Int = c.post(name: .init("sold"), object: nil)
    // error: cannot convert value of type '()' to specified type 'Int'
    _ = left
}
