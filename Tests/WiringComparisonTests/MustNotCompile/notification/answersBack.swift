struct Sold: TypedNotification {}

func f(_ center: TypedNotificationCenter) -> Int {
    center.post(Sold())
    // error: cannot convert return expression of type '()' to return type 'Int'
}
