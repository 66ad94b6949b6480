struct Sold { var cups = 1 }
@MainActor @Observable final class Stand { var last = Sold() }
func f(_ c: Stand) { Task { @MainActor in c.last = Sold() } }
