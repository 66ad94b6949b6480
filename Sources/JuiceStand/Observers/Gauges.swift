import Synchronization

/// Numbers that one thread at a time changes and any thread reads, all as of one moment, without a lock.
///
/// A lock taken for every fact costs more than making the fact. Here who changes the numbers writes plain words between
/// two steps of a version, and who reads them does so again where the version has moved meanwhile. Source: Boehm, "Can
/// seqlocks get along with programming language memory models?", MSPC 2012.
///
/// What makes it safe: the words are atomic, so that no read is torn and no access is a race; they are allocated once
/// and freed with the object; a place is checked against their number.
@safe
final class Gauges: @unchecked Sendable {
    private let words: UnsafeMutablePointer<Atomic<Int>>
    private let count: Int
    /// Odd while numbers are being changed.
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

    /// A number; for a change within ``update(_:)``, for reading within it or ``read(_:)``.
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

    /// Changes numbers.
    ///
    /// - Precondition: no other thread is changing any.
    @inline(__always)
    func update(_ body: () -> Void) {
        let before = version.load(ordering: .relaxed)
        version.store(before &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        body()
        version.store(before &+ 2, ordering: .releasing)
    }

    /// What `body` returns for the numbers as of one moment; it is called again where they have changed meanwhile.
    func read<Result>(_ body: () -> Result) -> Result {
        while true {
            let before = version.load(ordering: .acquiring)
            let result = body()
            atomicMemoryFence(ordering: .acquiring)
            if before & 1 == 0, version.load(ordering: .relaxed) == before { return result }
        }
    }
}
