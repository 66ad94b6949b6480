final class Subject<Output> {
    func send(_ output: Output) {}
    func sink(_ receive: @escaping (Output) -> Void) {}
}

func f(_ sales: Subject<Int>) { sales.send(1) }
