protocol TillDelegate: AnyObject {}

final class Till {
    unowned let delegate: any TillDelegate
    init(_ delegate: any TillDelegate) { self.delegate = delegate }
}

func f() { _ = Till() }
// error: missing argument for parameter #1 in call
