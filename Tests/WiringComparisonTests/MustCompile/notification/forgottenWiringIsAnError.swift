struct Sold: TypedNotification {}
func f(_ c: TypedNotificationCenter) { c.post(Sold()) }
