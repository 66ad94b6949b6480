struct Cup: ~Copyable {}
@Observable final class S { var cup: Cup = Cup() }
// error: instance method 'willSet(_:keyPath:)' requires that 'Cup' conform to 'Copyable'
