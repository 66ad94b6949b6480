struct Sold { var cups = 1 }
struct Stand { let c: AsyncStream<Sold>.Continuation, s: AsyncStream<Sold> }
func show() async {}
func f(_ c: Stand) async { for await _ in c.s { await show() } }
