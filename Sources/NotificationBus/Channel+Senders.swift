// Observers that asked for a certain sender are kept apart, so that a post does not meet those of other senders. A
// channel has up to 1,024 branches, each the channel of the senders with one hash. A post in the name of a sender walks
// two arrays at once, that of the channel and that of the branch, in two frames.

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
        if let branch = unsafe branch(of: sender) { return unsafe branch.takeUnretainedValue() }
        if branches.relaxedLoad() == 0 {
            let table = UnsafeMutablePointer<Word>.allocate(capacity: Channel.branchCount)
            for index in 0..<Channel.branchCount { unsafe (table + index).initialize(to: Word(0)) }
            branches.releasingStore(UInt(bitPattern: table))
        }
        let tombstone = unsafe UnsafeRawPointer(bitPattern: tombstone).unsafelyUnwrapped
        let branch = Channel(
            type, tombstone: unsafe Unmanaged<Observer>.fromOpaque(tombstone).takeUnretainedValue(), latest: nil)
        state.branches.append(branch)
        let table = unsafe UnsafeMutablePointer<Word>(bitPattern: branches.relaxedLoad())
        let entry = unsafe table.unsafelyUnwrapped + Channel.index(ofBranch: sender)
        unsafe entry.pointee.releasingStore(UInt(bitPattern: Unmanaged.passUnretained(branch).toOpaque()))
        return branch
    }

    /// The channel and its branches.
    var family: [Channel] { [self] + state.withLock { $0.branches } }

    /// Visits the observers of this channel and of a branch in the order in which they began.
    ///
    /// Those that began after the one with the key `last` are passed over. With a branch the frame after `frame` is used
    /// too, which must be ready.
    @inline(__always) @unsafe
    func visit(
        _ branch: Unmanaged<Channel>?, upTo last: UInt, _ frame: PostingFrame, isFenced: Bool,
        _ body: (_ observer: UInt, _ key: UInt) -> Void
    ) {
        let array = unsafe enter(frame, isFenced: isFenced)
        let end = unsafe array.end
        var slot = unsafe array.slot(0)
        let inner = unsafe branch == nil ? frame : frame.next
        var branchArray = unsafe array
        var branchEnd = UInt(bitPattern: slot)
        if let branch = unsafe branch {
            unsafe branchArray = branch._withUnsafeGuaranteedRef { unsafe $0.enter(inner, isFenced: isFenced) }
            branchEnd = unsafe branchArray.end
        }
        var branchSlot = unsafe branchArray.slot(0)
        while true {
            let key = unsafe UInt(bitPattern: slot) == end ? .max : array.key(at: slot)
            let branchKey = unsafe UInt(bitPattern: branchSlot) == branchEnd ? .max : branchArray.key(at: branchSlot)
            let first = min(key, branchKey)
            if first > last || first == .max { break }
            if key < branchKey {
                unsafe frame.announce(slot)
                unsafe body(slot.pointee.sequentialLoad(), first)
                unsafe slot = slot.advanced(unchecked: 1)
            } else {
                unsafe inner.announce(branchSlot)
                unsafe body(branchSlot.pointee.sequentialLoad(), first)
                unsafe branchSlot = branchSlot.advanced(unchecked: 1)
            }
        }
        if let branch = unsafe branch {
            if unsafe inner.leave(isFenced: isFenced) {
                unsafe branch._withUnsafeGuaranteedRef { unsafe $0.reclaim(after: inner) }
            }
        }
        if unsafe frame.leave(isFenced: isFenced) { unsafe reclaim(after: frame) }
    }
}
