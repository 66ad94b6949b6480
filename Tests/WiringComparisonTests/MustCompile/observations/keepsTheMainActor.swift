struct Sold { var cups = 1 }
@MainActor @Observable final class Stand { var last = Sold() }
@MainActor final class D {
    var cups = 0
    func f(_ c: Stand) { Task { for await x in Observations({ @MainActor in c.last }) { self.cups += x.cups } } }
}
