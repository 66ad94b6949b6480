struct Sold: TypedNotification { var cups = 1 }
func f(_ c: TypedNotificationCenter) { _ = c.observe(Sold.self) { $0.cups += 1 } }
// error: left side of mutating operator isn't mutable: '$0' is immutable
