/// An object known by its address alone, which no other object gets while this exists.
///
/// Unowned references keep an object's memory, though not the object: so the address stays unique without the object
/// being kept alive, and without a weak reference to load. Unchecked because the object may be of any kind: it is never
/// read, only held, and addresses are compared.
@usableFromInline
final class SenderIdentity: @unchecked Sendable {
    let address: UInt
    private unowned let object: AnyObject

    init(_ object: AnyObject) {
        self.object = object
        address = UInt(bitPattern: ObjectIdentifier(object))
    }

    convenience init?(of object: AnyObject?) {
        guard let object else { return nil }
        self.init(object)
    }

    /// The object at `address`, which must be there; `nil` for 0.
    @usableFromInline @unsafe
    convenience init?(address: UInt) {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        self.init(unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue())
    }
}
