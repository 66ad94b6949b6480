@Observable final class S { var cups = 0 }
func show() async {}
func f(_ s: S) {
    withObservationTracking {
        print(s.cups)
    } onChange: {
        // error: invalid conversion from 'async' function of type '@Sendable () async -> ()' to synchronous function type '@Sendable () -> Void'
        await show()
    }
}
