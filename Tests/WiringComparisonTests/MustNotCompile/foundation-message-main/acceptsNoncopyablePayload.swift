struct Sold: NotificationCenter.MainActorMessage, ~Copyable { typealias Subject = NotificationCenter }
// error: type 'Sold' does not conform to protocol 'Copyable'
