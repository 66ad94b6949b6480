struct Sold { var cups = 1 }
@MainActor @Observable final class Stand { var last = Sold() }
func f(_ c: Stand) async { for await x in Observations({ @MainActor in c.last }) { x.cups += 1 } }
// error: left side of mutating operator isn't mutable: 'x' is a 'let' constant
