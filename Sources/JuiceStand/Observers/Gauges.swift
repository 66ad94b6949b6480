import Synchronization

/// Numbers with one writer at a time and any number of readers, which see a consistent snapshot: a seqlock.
///
/// A lock for every fact would cost more than building the fact. The writer increments a version before and after it
/// writes; a reader reads again if the version has changed. Source: Boehm, "Can seqlocks get along with programming
/// language memory models?", MSPC 2012.
///
/// Memory safety: the words are atomic, so no read is torn and no access is a race. They are allocated once and freed
/// with the object. Every position is checked against their count.
///
/// Unchecked because of the pointer. It is safe to send, because all threads reach the words atomically.
@safe
final class Gauges: @unchecked Sendable {
    private let words: UnsafeMutablePointer<Atomic<Int>>
    private let count: Int
    /// Odd during an update.
    private let version = Atomic(0)

    /// `count` numbers, all 0.
    init(count: Int) {
        unsafe words = .allocate(capacity: count)
        for place in 0..<count { unsafe (words + place).initialize(to: Atomic(0)) }
        self.count = count
    }

    deinit {
        unsafe words.deinitialize(count: count)
        unsafe words.deallocate()
    }

    /// One number. Write it in ``update(_:)``; read it in ``update(_:)`` or ``read(_:)``.
    @inline(__always)
    subscript(place: Int) -> Int {
        get {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
            return unsafe words[place].load(ordering: .relaxed)
        }
        set {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
            unsafe words[place].store(newValue, ordering: .relaxed)
        }
    }

    /// Runs `body`, which writes numbers.
    ///
    /// - Precondition: no other thread is in `update`.
    @inline(__always)
    func update(_ body: () -> Void) {
        let before = version.load(ordering: .relaxed)
        version.store(before &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        body()
        version.store(before &+ 2, ordering: .releasing)
    }

    /// Runs `body` on a consistent snapshot of the numbers; runs it again after a concurrent update.
    func read<Result>(_ body: () -> Result) -> Result {
        while true {
            let before = version.load(ordering: .acquiring)
            let result = body()
            atomicMemoryFence(ordering: .acquiring)
            if before & 1 == 0, version.load(ordering: .relaxed) == before { return result }
        }
    }
}
