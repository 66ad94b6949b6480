final class Subject<Output> {
    func sink(_ receive: @escaping (Output) -> Void) {}
}

func f(_ sales: Subject<Int>) {
    sales.sink { $0 += 1 }
    // error: left side of mutating operator isn't mutable: '$0' is immutable
}
