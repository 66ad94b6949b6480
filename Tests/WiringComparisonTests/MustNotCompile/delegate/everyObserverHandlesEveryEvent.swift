protocol Observer: AnyObject {
    func sold()
    func low()
}
final class D: Observer { func sold() {} }
// error: type 'D' does not conform to protocol 'Observer'
