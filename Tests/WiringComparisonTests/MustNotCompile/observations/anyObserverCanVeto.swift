struct Sold { var cups = 1 }
@MainActor @Observable final class Stand { var last = Sold() }
func f(_ c: Stand) {
    let answers: [Bool] = (Task { @MainActor in c.last = Sold() })
    // error: cannot convert value of type 'Task<(), Never>' to specified type '[Bool]'
    _ = answers
}
