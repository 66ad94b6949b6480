protocol Observer: AnyObject { func sold(_ cups: Int) }
final class Weak {
    weak var delegate: (any Observer)?
    init(_ d: any Observer) { delegate = d }
}
final class Stand {
    var list: [Weak] = []
    func sell() { for entry in list { entry.delegate?.sold(1) } }
}
