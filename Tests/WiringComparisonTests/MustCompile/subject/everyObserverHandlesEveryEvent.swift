final class Subject<Output> {
    func sink(_ receive: @escaping (Output) -> Void) {}
}

func f(_ sold: Subject<Int>, _ low: Subject<Int>) {
    sold.sink { print($0) }
}
