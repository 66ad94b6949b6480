struct Sold { var cups = 1 }
@MainActor @Observable final class Stand { var last = Sold() }
