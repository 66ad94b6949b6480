struct Cup: ~Copyable {}

final class Subject<Output> {
    func send(_ output: Output) {}
}

func f(_ cups: Subject<Cup>) {}
// error: type 'Cup' does not conform to protocol 'Copyable'
