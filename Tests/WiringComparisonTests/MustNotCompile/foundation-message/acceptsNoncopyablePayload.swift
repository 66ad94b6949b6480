struct Sold: NotificationCenter.AsyncMessage, ~Copyable { typealias Subject = NotificationCenter }
// error: type 'Sold' does not conform to protocol 'Copyable'
