struct Cup: ~Copyable {}
func f(_ stream: AsyncStream<Cup>) {}
// error: type 'Cup' does not conform to protocol 'Copyable'
