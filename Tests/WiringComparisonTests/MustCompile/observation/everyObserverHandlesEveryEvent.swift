@Observable final class S {
    var cups = 0
    var low = false
}
func f(_ s: S) {
    withObservationTracking {
        print(s.cups, )
    } onChange: {
        print("again")
    }
}
