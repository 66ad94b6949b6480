final class Subject<Output> {
    var sinks: [(Output) -> Void] = []
    func send(_ output: Output) { for sink in sinks { sink(output) } }
}

func sell(_ subject: Subject<Int>) { subject.send(1) }
