final class Subject<Output> {
    func send(_ output: Output) {}
}

func f(_ sales: Subject<Int>) -> [Bool] {
    sales.send(1)
    // error: cannot convert return expression of type '()' to return type '[Bool]'
}
