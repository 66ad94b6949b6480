public import Synchronization

/// The channels of a center by the key of the type they carry, in memory that is read without a lock.
///
/// ```
/// mask || key, channel | key, channel | …
/// ```
///
/// Entries are added and never removed; a table that is half full is followed by one of twice the size, and kept until
/// its center goes away, as a thread may still be reading it.
@frozen @usableFromInline @unsafe
struct ChannelTable {
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>

    @inlinable @inline(__always)
    init(address: UInt) { unsafe words = UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped }

    /// Whether it has the channels of a center; `false` if it is ``empty``.
    @inlinable @inline(__always)
    var isInUse: Bool { unsafe words.pointee.load(ordering: .relaxed) != 0 }

    /// The channel with a key; `nil` if there is none.
    ///
    /// Types are hashed by their address, of which the table's mask leaves the bits that give a place in it: types
    /// declared in one module lie at ascending addresses, which fill a table more evenly than random ones.
    ///
    /// - Complexity: O(1).
    @inlinable @inline(__always)
    func channel(_ key: UInt) -> Unmanaged<Channel>? {
        let (entry, isFound) = unsafe entry(key)
        if !isFound { return nil }
        return unsafe .fromOpaque(Channel.pointer(entry.advanced(unchecked: 1).pointee.load(ordering: .relaxed)))
    }

    /// The entry with a key, or the free one that it would get.
    @inlinable @inline(__always)
    func entry(_ key: UInt) -> (entry: UnsafeMutablePointer<Atomic<UInt>>, isFound: Bool) {
        let mask = unsafe words.pointee.load(ordering: .relaxed)
        var offset = key & mask
        while true {
            let entry = unsafe words.advanced(unchecked: 1).advanced(bytes: offset)
            let found = unsafe entry.pointee.load(ordering: .acquiring)
            if found == key || found == 0 { return unsafe (entry, found == key) }
            offset = (offset &+ 16) & mask
        }
    }
}

extension ChannelTable {
    /// Makes an empty table of 2 to the power of `logarithm` entries.
    init(logarithm: Int) {
        let count = 1 + 2 * (1 << logarithm)
        unsafe words = .allocate(capacity: count)
        for index in 0..<count { unsafe (words + index).initialize(to: Atomic(0)) }
        unsafe words.pointee.store(UInt(16 * ((1 << logarithm) - 1)), ordering: .relaxed)
    }

    /// The address of a table that stays empty, in the place of one that posts must not use.
    static let empty = unsafe ChannelTable(logarithm: 0).address

    var address: UInt { unsafe UInt(bitPattern: words) }

    /// Adds a key that is not there yet; the table must not be full.
    func add(_ key: UInt, _ channel: UInt) {
        let entry = unsafe entry(key).entry
        unsafe entry.advanced(unchecked: 1).pointee.store(channel, ordering: .relaxed)
        unsafe entry.pointee.store(key, ordering: .releasing)
    }

    /// How many entries fit; half of them may be used.
    var capacity: Int { unsafe Int(words.pointee.load(ordering: .relaxed) >> 4) + 1 }

    /// Makes a table of twice the size with the same entries.
    func doubled() -> ChannelTable {
        let table = unsafe ChannelTable(logarithm: capacity.trailingZeroBitCount + 1)
        for index in unsafe 0..<capacity {
            let key = unsafe words[1 + 2 * index].load(ordering: .relaxed)
            if key != 0 { unsafe table.add(key, words[2 + 2 * index].load(ordering: .relaxed)) }
        }
        return unsafe table
    }

    func deallocate() { unsafe words.deallocate() }
}

// MARK: - Keys

extension Channel {
    /// The key of a notification; with the address of a sender that of the observers of this sender.
    ///
    /// Senders have 1,024 keys for each type. Their hash is in the high bits, which addresses leave free, and in the
    /// bits that give a place in a table.
    @inlinable @inline(__always)
    static func key<N: TypedNotification>(of type: N.Type, from sender: UInt = 0) -> UInt {
        let key = UInt(bitPattern: ObjectIdentifier(N.self))
        if sender == 0 { return key }
        let hash = (sender &* 0x9E37_79B9_7F4A_7C15) &>> 54
        return key ^ (hash &<< 4) ^ ((hash | 1 &<< 10) &<< 52)
    }

    /// The key of a question, which may be a notification too: type descriptors lie at even addresses.
    static func key(ofQuestion type: any TypedQuestion.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(type)) | 1 }
}
