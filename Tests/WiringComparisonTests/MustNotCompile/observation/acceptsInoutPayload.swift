@Observable final class S { var cups = 0 }
func f(_ s: S) {
    withObservationTracking {
        print(s.cups)
    } onChange: {
        s.cups += 1
        // error: capture of 's' with non-Sendable type 'S' in a '@Sendable' closure
    }
}
