final class Subject<Output> {
    func sink(_ receive: @escaping (Output) -> Void) {}
}

@MainActor final class Display {
    var cups = 0
    func observe(_ sales: Subject<Int>) { sales.sink { self.cups += $0 } }
}
