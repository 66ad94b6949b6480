func f(_ c: NotificationCenter) {
    c.post(name: .init("sold"), object: nil)
}
