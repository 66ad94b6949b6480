struct Cup: ~Copyable {}
func f(_ handlers: [@Sendable (borrowing Cup) -> Void]) { for handler in handlers { handler(Cup()) } }
