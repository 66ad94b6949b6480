struct Sold: TypedNotification { var cups = 1 }
func f(_ c: TypedNotificationCenter) { c.post(Slod()) }
// error: cannot find 'Slod' in scope
func g(_ c: TypedNotificationCenter) -> ObservationToken { c.observe(Sold.self) { print($0.cusp) } }
// error: value of type 'Sold' has no member 'cusp'
