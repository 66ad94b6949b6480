final class S { var handlers: [(Int) -> Void] = [] }
func f(_ s: S) { s.hanlders.append { print($0) } }
// error: value of type 'S' has no member 'hanlders'
func g(_ s: S) { for handler in s.handlers { handler("1") } }
// error: cannot convert value of type 'String' to expected argument type 'Int'
