public import Synchronization

/// The channels of a center by the type they carry, in memory that is read without a lock.
///
/// ```
/// shift || type, channel | type, channel | …
/// ```
///
/// Entries are added and never removed; a table that is half full is followed by one of twice the size, and kept until
/// its center goes away, as a thread may still be reading it.
@frozen
@usableFromInline
@unsafe
struct ChannelTable {
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>

    @inlinable
    @inline(__always)
    init(address: UInt) {
        unsafe words = UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    /// The channel that carries `type`; 0 where there is none.
    ///
    /// - Complexity: O(1).
    @inlinable
    @inline(__always)
    func channel(_ type: UInt) -> UInt {
        // Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4): the high bits of a multiple of 2⁶⁴ ÷
        // φ.
        let shift = unsafe words.pointee.load(ordering: .relaxed)
        var index = (type &* 0x9E37_79B9_7F4A_7C15) &>> shift
        while true {
            let entry = unsafe words.advanced(unchecked: Int(bitPattern: 1 &+ index &<< 1))
            let found = unsafe entry.pointee.load(ordering: .acquiring)
            if found == type { return unsafe entry.advanced(unchecked: 1).pointee.load(ordering: .relaxed) }
            if found == 0 { return 0 }
            index = (index &+ 1) & (UInt.max &>> shift)
        }
    }
}

extension ChannelTable {
    /// Makes an empty table of 2 to the power of `logarithm` entries.
    init(logarithm: Int) {
        let count = 1 + 2 * (1 << logarithm)
        unsafe words = .allocate(capacity: count)
        for index in 0..<count { unsafe (words + index).initialize(to: Atomic(0)) }
        unsafe words.pointee.store(UInt(64 - logarithm), ordering: .relaxed)
    }

    /// The address of a table that stays empty.
    static let empty = unsafe ChannelTable(logarithm: 1).address

    var address: UInt { unsafe UInt(bitPattern: words) }

    /// Adds a type that is not there yet; the table must not be full.
    func add(_ type: UInt, _ channel: UInt) {
        let shift = unsafe words.pointee.load(ordering: .relaxed)
        let mask = unsafe capacity - 1
        var index = Int(bitPattern: (type &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        while unsafe words[1 + 2 * index].load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
        unsafe words[2 + 2 * index].store(channel, ordering: .relaxed)
        unsafe words[1 + 2 * index].store(type, ordering: .releasing)
    }

    /// How many entries fit; half of them may be used.
    var capacity: Int { unsafe 1 << (64 - Int(words.pointee.load(ordering: .relaxed))) }

    /// Makes a table of twice the size with the same entries.
    func doubled() -> ChannelTable {
        let logarithm = unsafe 64 - Int(words.pointee.load(ordering: .relaxed))
        let table = unsafe ChannelTable(logarithm: logarithm + 1)
        for index in unsafe 0..<capacity {
            let type = unsafe words[1 + 2 * index].load(ordering: .relaxed)
            if type != 0 { unsafe table.add(type, words[2 + 2 * index].load(ordering: .relaxed)) }
        }
        return unsafe table
    }

    func deallocate() {
        unsafe words.deallocate()
    }
}
