/// One observation as its channel keeps it, whatever it observes.
@safe @usableFromInline
class Observer {
    // The place where it began, packed: a string literal ends with a zero, and lives as long as the program.
    private final let file: UnsafePointer<UInt8>
    final let line: UInt32

    init(_ fileID: StaticString, _ line: UInt) {
        unsafe file = fileID.utf8Start
        self.line = UInt32(clamping: line)
    }

    /// Where a post of the sender with this address goes, if not to a closure that the post calls.
    func mailbox(hearing sender: UInt) -> Mailbox? { nil }

    /// `Module/File.swift:12`.
    final var place: String { unsafe "\(String(cString: file)):\(line)" }
}

/// One observation of `Value`: the closure to call, and the sender whose posts it asked for.
///
/// The closure is kept exactly as the observer gave it. It is called with a pointer to the value, as a closure of a
/// generic type is; wrapping it in another closure would cost more than the whole rest of a delivery.
@usableFromInline
class TypedObserver<Value>: Observer {
    /// It begins at a multiple of 16 bytes, so that a post finds both its words in one line of the cache.
    @usableFromInline final let call: @Sendable (Value) -> Void
    final let sender: SenderIdentity?

    init(
        _ fileID: StaticString, _ line: UInt, from sender: SenderIdentity? = nil,
        _ call: @escaping @Sendable (Value) -> Void
    ) {
        self.call = call
        self.sender = sender
        super.init(fileID, line)
    }

    /// Whether it asked for the posts of the sender with this address, or of all; 0 stands for no sender.
    @inline(__always)
    final func hears(_ address: UInt) -> Bool { sender == nil || sender?.address == address }
}

/// An object known by its address alone, which no other object gets while this exists.
///
/// An unowned reference keeps the memory of a Swift object, though not the object: so the address stays unique without
/// the object being kept alive, and without a weak reference to load. Unchecked because the object may be of any kind:
/// it is never read, only held, and addresses are compared.
@usableFromInline
final class SenderIdentity: @unchecked Sendable {
    let address: UInt
    private unowned let object: AnyObject

    init(_ object: AnyObject) {
        self.object = object
        address = UInt(bitPattern: ObjectIdentifier(object))
    }

    private final class Nobody {}

    /// A sender that never posts.
    static let nobody = SenderIdentity(Nobody())

    /// The object at `address`, which must be there; `nil` for 0.
    @unsafe
    convenience init?(address: UInt) {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        self.init(unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue())
    }
}
