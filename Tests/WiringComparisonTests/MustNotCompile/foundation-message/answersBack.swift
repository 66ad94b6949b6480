struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
func f(_ c: NotificationCenter) {
    let left: Int = c.post(Sold())
    // error: cannot convert value of type '()' to specified type 'Int'
    _ = left
}
