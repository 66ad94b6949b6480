// Observers that asked for a certain sender are kept apart, so that a post does not meet those of other senders. A
// channel has up to 1,024 branches, each the channel of the senders with one hash. A post in the name of a sender walks
// two racks at once, that of the channel and that of the branch, in two frames.

extension Channel {
    /// The channel of those who observe `sender` and others of the same hash; `nil` if nobody does.
    @inlinable @inline(__always) @unsafe
    func branch(of sender: UInt) -> Unmanaged<Channel>? {
        let table = unsafe UnsafeMutablePointer<Word>(bitPattern: branches.acquiringLoad())
        guard let table = unsafe table else { return nil }
        let entry = unsafe table.advanced(unchecked: Channel.index(ofBranch: sender))
        guard let branch = unsafe UnsafeRawPointer(bitPattern: entry.pointee.acquiringLoad()) else {
            return nil
        }
        return unsafe Unmanaged.fromOpaque(branch)
    }

    @inlinable @inline(__always)
    static func index(ofBranch sender: UInt) -> Int {
        Int(bitPattern: (sender &* 0x9E37_79B9_7F4A_7C15) &>> 54)
    }

    private static var branchCount: Int { 1 << 10 }

    /// The branch of a sender, made if there is none yet; the lock must be held.
    func branch(for sender: UInt, _ state: inout State) -> Channel {
        if let branch = unsafe self.branch(of: sender) { return unsafe branch.takeUnretainedValue() }
        if state.branches.isEmpty {
            let table = UnsafeMutablePointer<Word>.allocate(capacity: Channel.branchCount)
            for index in 0..<Channel.branchCount { unsafe (table + index).initialize(to: Word(0)) }
            branches.releasingStore(UInt(bitPattern: table))
        }
        let tombstone = unsafe UnsafeRawPointer(bitPattern: tombstone).unsafelyUnwrapped
        let branch = Channel(
            name: name, notification: notification,
            tombstone: unsafe Unmanaged<Observer>.fromOpaque(tombstone).takeUnretainedValue(), latest: nil)
        state.branches.append(branch)
        let table = unsafe UnsafeMutablePointer<Word>(bitPattern: branches.relaxedLoad())
        let entry = unsafe table.unsafelyUnwrapped + Channel.index(ofBranch: sender)
        unsafe entry.pointee.releasingStore(UInt(bitPattern: Unmanaged.passUnretained(branch).toOpaque()))
        return branch
    }

    /// The channel and its branches.
    var family: [Channel] { [self] + state.withLock { $0.branches } }

    /// Visits the observers of this channel and of a branch in the order of delivery.
    ///
    /// Those that began to observe after the one with the number `sequence` are passed over. With a branch the frame
    /// after `frame` is used too, which must be ready.
    @inline(__always) @unsafe
    func visit(
        _ branch: Unmanaged<Channel>?, upTo sequence: UInt, _ frame: PostingFrame, isFenced: Bool,
        _ body: (_ observer: UInt, _ key: UInt) -> Void
    ) {
        let rack = unsafe enterRack(frame, isFenced: isFenced)
        let end = unsafe rack.end
        var slot = unsafe rack.slot(0)
        let inner = unsafe branch == nil ? frame : frame.next
        var branchRack = unsafe rack
        var branchEnd = UInt(bitPattern: slot)
        if let branch = unsafe branch {
            unsafe branchRack = branch._withUnsafeGuaranteedRef { unsafe $0.enterRack(inner, isFenced: isFenced) }
            branchEnd = unsafe branchRack.end
        }
        var branchSlot = unsafe branchRack.slot(0)
        while true {
            let key = unsafe UInt(bitPattern: slot) == end ? .max : rack.key(at: slot)
            let branchKey = unsafe UInt(bitPattern: branchSlot) == branchEnd ? .max : branchRack.key(at: branchSlot)
            if key == .max && branchKey == .max { break }
            let current = unsafe key < branchKey ? slot : branchSlot
            if key < branchKey {
                unsafe slot = slot.advanced(unchecked: 1)
            } else {
                unsafe branchSlot = branchSlot.advanced(unchecked: 1)
            }
            if min(key, branchKey) & Channel.sequenceMask > sequence { continue }
            unsafe (key < branchKey ? frame : inner).announce(current)
            unsafe body(current.pointee.sequentialLoad(), min(key, branchKey))
        }
        if let branch = unsafe branch {
            if unsafe inner.leave(isFenced: isFenced) {
                unsafe branch._withUnsafeGuaranteedRef { unsafe $0.settle(inner) }
            }
        }
        if unsafe frame.leave(isFenced: isFenced) { unsafe settle(frame) }
    }

    /// The bits of a key that give the order of observation.
    private static var sequenceMask: UInt { 1 << 48 - 1 }
}
