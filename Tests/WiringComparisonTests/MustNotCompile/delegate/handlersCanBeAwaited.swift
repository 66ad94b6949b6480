protocol TillDelegate: AnyObject { func sold() }

final class Display: TillDelegate {
    // error: type 'Display' does not conform to protocol 'TillDelegate'
    func sold() async {}
}
