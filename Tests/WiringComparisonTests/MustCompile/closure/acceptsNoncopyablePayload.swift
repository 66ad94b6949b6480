struct Cup: ~Copyable {}
func f(_ handlers: [(borrowing Cup) -> Void]) { for handler in handlers { handler(Cup()) } }
