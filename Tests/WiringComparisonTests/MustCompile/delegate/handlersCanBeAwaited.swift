protocol TillDelegate: AnyObject, Sendable { func sold() async }

func f(_ delegate: (any TillDelegate)?) async { await delegate?.sold() }
