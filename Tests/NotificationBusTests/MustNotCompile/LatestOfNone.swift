// A type that keeps no latest value is asked for one.
import NotificationBus

struct Sold: TypedNotification {}

func f(_ center: TypedNotificationCenter) -> Sold? {
    center.latest(Sold.self)
    // error: requires that 'Sold' conform to 'KeptNotification'
}
