final class Till { var handler: ((Int) -> Void)? }

func f() { _ = Till() }
