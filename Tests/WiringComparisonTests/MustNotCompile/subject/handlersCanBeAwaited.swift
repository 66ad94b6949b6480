final class Subject<Output> {
    func sink(_ receive: @escaping (Output) -> Void) {}
}

func show() async {}

func f(_ sales: Subject<Int>) {
    sales.sink { _ in await show() }
    // error: cannot pass function of type '(Int) async -> ()' to parameter expecting synchronous function type
}
