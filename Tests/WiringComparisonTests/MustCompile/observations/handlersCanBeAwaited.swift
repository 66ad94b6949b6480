struct Sold { var cups = 1 }
@MainActor @Observable final class Stand { var last = Sold() }
func show() async {}
func f(_ c: Stand) async { for await _ in Observations({ @MainActor in c.last }) { await show() } }
