struct Sold: TypedNotification {}
struct Low: TypedNotification {}
func f(_ c: TypedNotificationCenter) {
    _ = c.observe(Sold.self) { print($0) }
    c.post(Low())
}
