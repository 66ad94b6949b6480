actor D {
    var cups = 0
    func f(_ c: NotificationCenter) -> Any {
        c.addObserver(forName: .init("sold"), object: nil, queue: .main) { _ in self.cups += 1 }
        // error: actor-isolated property 'cups' can not be mutated from a Sendable closure
    }
}
