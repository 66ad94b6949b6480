struct Cup: ~Copyable {}
func f(_ c: NotificationCenter) { c.post(name: .init("sold"), object: nil, userInfo: ["cup": Cup()]) }
// error: cannot convert value of type 'Cup' to expected dictionary value type 'Any'
