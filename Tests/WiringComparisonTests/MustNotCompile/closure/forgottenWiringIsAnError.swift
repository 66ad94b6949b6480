final class Till {
    let handler: (Int) -> Void
    init(_ handler: @escaping (Int) -> Void) { self.handler = handler }
}

func f() { _ = Till() }
// error: missing argument for parameter #1 in call
