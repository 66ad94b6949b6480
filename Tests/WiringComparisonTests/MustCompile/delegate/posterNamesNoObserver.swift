protocol Observer: AnyObject { func sold(_ cups: Int) }
final class Stand {
    weak var delegate: (any Observer)?
    func sell() { delegate?.sold(1) }
}
