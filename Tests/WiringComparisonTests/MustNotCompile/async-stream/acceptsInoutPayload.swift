struct Sold { var cups = 1 }
struct Stand { let c: AsyncStream<Sold>.Continuation, s: AsyncStream<Sold> }
func f(_ c: Stand) async { for await x in c.s { x.cups += 1 } }
// error: left side of mutating operator isn't mutable: 'x' is a 'let' constant
