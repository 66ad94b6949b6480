import Synchronization
import ThreadLocalFrame

// Takes the place of the module's own file of this name, so that the explorer decides each step.

/// What the explorer decides. Addresses are those of words and of locks.
package protocol Seam {
    var hasBarrierOnAllThreads: Bool { get }
    func load(_ address: UInt, isStep: Bool) -> UInt
    func store(_ value: UInt, at address: UInt, isStep: Bool)
    func exchange(_ address: UInt, _ new: (UInt) -> UInt) -> UInt
    func fence()
    func barrierOnAllThreads()
    func lock(_ address: UInt)
    func unlock(_ address: UInt)
    func pause()
    func allocate(words count: Int) -> UInt
    func free(_ address: UInt)
    func willRelease(_ observer: AnyObject, line: Int)
}

/// The explorer. Unsafe, because it is set before the first explored thread starts, and only read from then on.
package nonisolated(unsafe) var seam: (any Seam)!

/// Ends the current thread as far as the center knows.
package func endThread() {
    guard let record = PostingThread.current else { return }
    unsafe PostingThread.end(UnsafeMutableRawPointer(bitPattern: record))
}

/// Forgets all threads, which must have ended; `false` if something still waits to be reclaimed.
package func forgetThreads() -> Bool {
    let isForgotten = PostingThread.records.withLock { records in
        records.spare = []
        return records.live.isEmpty
    }
    return isForgotten && Backlog.channels.withLock { $0.isEmpty }
}

@usableFromInline
struct Word: ~Copyable, Sendable {
    private let value: Atomic<UInt>
    private var address: UInt { unsafe withUnsafePointer(to: self) { UInt(bitPattern: $0) } }

    @usableFromInline init(_ value: UInt) { self.value = Atomic(value) }
    @usableFromInline func relaxedLoad() -> UInt { unsafe seam.load(address, isStep: false) }
    @usableFromInline func acquiringLoad() -> UInt { unsafe seam.load(address, isStep: true) }
    @usableFromInline func sequentialLoad() -> UInt { unsafe seam.load(address, isStep: true) }
    @usableFromInline func relaxedStore(_ new: UInt) { unsafe seam.store(new, at: address, isStep: false) }
    @usableFromInline func releasingStore(_ new: UInt) { unsafe seam.store(new, at: address, isStep: true) }
    @usableFromInline func exchange(_ new: UInt) -> UInt { unsafe seam.exchange(address) { _ in new } }
    @usableFromInline func add(_ more: UInt) { _ = unsafe seam.exchange(address) { $0 &+ more } }
}

enum System {
    static var hasBarrierOnAllThreads: Bool { unsafe seam.hasBarrierOnAllThreads }
    static func barrierOnAllThreads() { unsafe seam.barrierOnAllThreads() }
    static func fence() { unsafe seam.fence() }
    static func notifyOfEnd(of record: UnsafeMutableRawPointer) {}
    static func lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) { unsafe seam.lock(UInt(bitPattern: mutex)) }
    static func unlock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) { unsafe seam.unlock(UInt(bitPattern: mutex)) }
    static func allocate(words count: Int, alignment: Int = 16) -> UnsafeMutablePointer<Word> {
        unsafe UnsafeMutablePointer(bitPattern: seam.allocate(words: count)).unsafelyUnwrapped
    }
    static func free(_ words: UnsafeMutablePointer<Word>) { unsafe seam.free(UInt(bitPattern: words)) }
    static func willRelease(_ observer: Observer) { unsafe seam.willRelease(observer, line: Int(observer.line)) }
    static func pause(_ count: inout Int) { unsafe seam.pause() }
}
