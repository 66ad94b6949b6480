@Observable final class S { var cups = 0 }
actor D {
    var cups = 0
    func f(_ s: S) {
        withObservationTracking {
            self.cups += s.cups
        } onChange: {
            print(1)
        }
    }
}
