struct Sold: TypedNotification, ~Copyable {}
// error: type 'Sold' does not conform to protocol 'Copyable'
