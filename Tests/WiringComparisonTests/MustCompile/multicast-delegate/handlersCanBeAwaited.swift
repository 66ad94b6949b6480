protocol TillDelegate: AnyObject, Sendable { func sold() async }

func f(_ delegates: [any TillDelegate]) async {
    for delegate in delegates { await delegate.sold() }
}
