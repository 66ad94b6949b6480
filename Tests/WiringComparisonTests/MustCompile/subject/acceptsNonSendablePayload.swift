final class Cup { var full = true }

final class Subject<Output> {
    func send(_ output: Output) {}
    func sink(_ receive: @escaping (Output) -> Void) {}
}

func f(_ cups: Subject<Cup>, _ cup: Cup) {
    cups.sink { $0.full = false }
    cups.send(cup)
}
