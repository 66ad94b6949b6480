protocol TillDelegate: AnyObject, Sendable { func sold(_ cups: Int) async }

actor Display: TillDelegate {
    var cups = 0
    func sold(_ cups: Int) { self.cups += cups }
}
