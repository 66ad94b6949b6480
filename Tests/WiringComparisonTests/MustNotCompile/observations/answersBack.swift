struct Sold { var cups = 1 }
@MainActor @Observable final class Stand { var last = Sold() }
func f(_ c: Stand) {
    let left: Int = (Task { @MainActor in c.last = Sold() })
    // error: cannot convert value of type 'Task<(), Never>' to specified type 'Int'
    _ = left
}
