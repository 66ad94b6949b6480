protocol TillDelegate: AnyObject {}

final class Till { weak var delegate: (any TillDelegate)? }

func f() { _ = Till() }
