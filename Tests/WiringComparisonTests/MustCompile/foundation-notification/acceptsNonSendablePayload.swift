final class Cup { var full = true }
func f(_ c: NotificationCenter, _ cup: Cup) { c.post(name: .init("sold"), object: nil, userInfo: ["cup": cup]) }
