struct Sold { var cups = 1 }
struct Stand { let c: AsyncStream<Sold>.Continuation, s: AsyncStream<Sold> }
func f(_ c: Stand) { c.c.yield(Sold()) }
