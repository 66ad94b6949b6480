protocol TillDelegate: AnyObject {}

final class Till { var delegates: [any TillDelegate] = [] }

func f() { _ = Till() }
