struct Sold { var cups = 1 }
struct Stand { let c: AsyncStream<Sold>.Continuation, s: AsyncStream<Sold> }
@MainActor final class D {
    var cups = 0
    func f(_ c: Stand) { Task { for await x in c.s { self.cups += x.cups } } }
}
