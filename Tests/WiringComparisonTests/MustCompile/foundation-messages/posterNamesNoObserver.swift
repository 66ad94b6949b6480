struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
