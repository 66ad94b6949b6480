struct Sold: NotificationCenter.MainActorMessage { typealias Subject = NotificationCenter }
@MainActor func f(_ c: NotificationCenter) { c.post(Sold()) }
