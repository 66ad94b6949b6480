/// The observers of one channel in the order in which they began, in memory that posting threads read without a lock.
///
/// ```
/// end | capacity | capacity × observer | capacity × key
/// ```
///
/// `end` is the address after the last slot in use. An array only ever grows at its end. A slot changes once, from its
/// observer to the channel's tombstone. Any other change makes a new array. Keys ascend, so an observer is found by
/// bisection; each is written once, before the end that covers it.
@frozen @usableFromInline @unsafe
struct ObserverArray {
    @usableFromInline let words: UnsafeMutablePointer<Word>

    @inlinable @inline(__always)
    init(address: UInt) { unsafe words = UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped }

    @inlinable @inline(__always) var address: UInt { unsafe UInt(bitPattern: words) }
    /// The end of the slots in use, tombstones included.
    @inlinable @inline(__always) var end: UInt { unsafe words.pointee.acquiringLoad() }

    @inlinable @inline(__always)
    func slot(_ index: Int) -> UnsafeMutablePointer<Word> { unsafe words.advanced(unchecked: 2 &+ index) }

    /// The key of the observer in a slot.
    func key(at slot: UnsafeMutablePointer<Word>) -> UInt {
        let capacity = unsafe words.advanced(unchecked: 1).pointee.relaxedLoad()
        return unsafe slot.advanced(unchecked: Int(bitPattern: capacity)).pointee.relaxedLoad()
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// The pointer to the word that is `words` further, without the checks of pointer arithmetic.
    @inlinable @inline(__always)
    func advanced(unchecked words: Int) -> Self { unsafe advanced(bytes: UInt(bitPattern: words &<< 3)) }

    @inlinable @inline(__always)
    func advanced(bytes: UInt) -> Self { unsafe Self(bitPattern: UInt(bitPattern: self) &+ bytes).unsafelyUnwrapped }
}

// MARK: - Under the lock of the channel

extension ObserverArray {
    /// Makes an empty array.
    init(capacity: Int) {
        let count = 2 + 2 * capacity
        unsafe words = System.allocate(words: count)
        for index in 0..<count { unsafe (words + index).initialize(to: Word(0)) }
        unsafe words[1].relaxedStore(UInt(bitPattern: capacity))
        unsafe words[0].relaxedStore(UInt(bitPattern: slot(0)))
    }

    /// How many slots are in use, tombstones included.
    var count: Int { unsafe Int(end - UInt(bitPattern: slot(0))) / MemoryLayout<UInt>.stride }

    var capacity: Int { unsafe Int(bitPattern: words[1].relaxedLoad()) }

    /// The addresses of the slots, as posting threads announce them.
    var addresses: Range<UInt> { unsafe UInt(bitPattern: slot(0))..<UInt(bitPattern: slot(capacity)) }

    /// The hazards that protect the observer in a slot.
    ///
    /// Without a barrier on all threads a hazard may be seen late, and the post be further on than it says.
    func hazards(at index: Int) -> Range<UInt> {
        let slot = unsafe UInt(bitPattern: self.slot(index))
        return unsafe (System.hasBarrierOnAllThreads ? slot : UInt(bitPattern: self.slot(0)))..<slot + 1
    }

    func key(_ index: Int) -> UInt { unsafe key(at: slot(index)) }

    /// Adds an observer with a key above all others; the array must have room.
    func append(_ observer: UInt, _ key: UInt) {
        let count = unsafe self.count
        unsafe words[2 + capacity + count].relaxedStore(key)
        unsafe words[2 + count].relaxedStore(observer)
        unsafe words.pointee.releasingStore(UInt(bitPattern: slot(count + 1)))
    }

    /// The slot of the observer with `key`; `nil` if it has none.
    ///
    /// - Complexity: O(log *n*).
    func index(of key: UInt) -> Int? {
        var low = 0
        var high = unsafe count
        while low < high {
            let middle = (low + high) / 2
            if unsafe self.key(middle) < key { low = middle + 1 } else { high = middle }
        }
        return unsafe low < count && self.key(low) == key ? low : nil
    }

    func deallocate() { unsafe System.free(words) }
}
