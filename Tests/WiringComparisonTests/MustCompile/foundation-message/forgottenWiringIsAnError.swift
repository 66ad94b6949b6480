struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
func f(_ c: NotificationCenter) { c.post(Sold()) }
