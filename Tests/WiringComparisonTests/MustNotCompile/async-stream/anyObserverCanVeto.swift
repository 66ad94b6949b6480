struct Sold { var cups = 1 }
struct Stand { let c: AsyncStream<Sold>.Continuation, s: AsyncStream<Sold> }
func f(_ c: Stand) {
    let answers: [Bool] = (c.c.yield(Sold()))
    // error: cannot convert value of type 'AsyncStream<Sold>.Continuation.YieldResult' to specified type '[Bool]'
    _ = answers
}
