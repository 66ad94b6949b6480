final class Subject<Output> {
    func send(_ output: Output) {}
    func sink(_ receive: @escaping (Output) -> Void) {}
}

func f(_ sales: Subject<Int>) {
    sales.sned(1)
    // error: value of type 'Subject<Int>' has no member 'sned'
    sales.send("1")
    // error: cannot convert value of type 'String' to expected argument type 'Int'
}
