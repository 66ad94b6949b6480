public import Synchronization
public import ThreadLocalFrame

/// What a thread announces about one post that it has under way.
///
/// ```
/// place | debt | sender | epoch
/// ```
///
/// - `place` is the address of the slot whose observer the thread is calling or about to call; 0 between posts. Other
///   threads read it.
/// - `debt` is set by a thread that waits for the post to end. The posting thread then reclaims what was waiting.
/// - `sender` identifies the object that posts; 0 without one. Only the posting thread uses it.
/// - `epoch` advances when a post ends with a debt, so a thread that waits for one post does not take a later one for
///   it. It is 0 in a frame that has never been used; a post that finds it takes the careful path.
@frozen
@usableFromInline
@unsafe
struct PostingFrame {
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>

    @inlinable
    @inline(__always)
    init(words: UnsafeMutablePointer<Atomic<UInt>>) {
        unsafe self.words = words
    }

    /// The frame that the next post of this thread uses.
    ///
    /// The address is asked for each time: after a suspension a function may run on another thread.
    @inlinable
    @inline(__always)
    static var current: PostingFrame {
        get { unsafe PostingFrame(words: UnsafeMutablePointer(bitPattern: juicestand_frame()).unsafelyUnwrapped) }
        set { juicestand_set_frame(UInt(bitPattern: unsafe newValue.words)) }
    }

    @inlinable
    @inline(__always)
    var place: UnsafeMutablePointer<Atomic<UInt>> { unsafe words }

    @inlinable
    @inline(__always)
    var debt: UnsafeMutablePointer<Atomic<UInt>> { unsafe words.advanced(unchecked: 1) }

    @inlinable
    @inline(__always)
    var sender: UnsafeMutablePointer<Atomic<UInt>> { unsafe words.advanced(unchecked: 2) }

    @inlinable
    @inline(__always)
    var epoch: UnsafeMutablePointer<Atomic<UInt>> { unsafe words.advanced(unchecked: 3) }

    /// Whether a post may use the frame as it is.
    @inlinable
    @inline(__always)
    var isReady: Bool { unsafe epoch.pointee.load(ordering: .relaxed) != 0 }

    /// The frame of a post nested in this one's.
    @inlinable
    @inline(__always)
    var next: PostingFrame { unsafe PostingFrame(words: words.advanced(unchecked: PostingFrame.size)) }

    /// Words from one frame to the next.
    @inlinable
    @inline(__always)
    static var size: Int { 4 }

    /// Makes the frame usable, and the next one one that has never been used.
    func prepare() {
        unsafe next.clear()
        unsafe epoch.pointee.store(1, ordering: .relaxed)
    }

    /// Takes the debt of a post that is over, and begins a new epoch; `true` if there was a debt.
    ///
    /// In this order: a debt that is set in between counts for the next post of the frame, which is not in the epoch
    /// that the other thread read before.
    func pay() -> Bool {
        let owed = unsafe debt.pointee.exchange(0, ordering: .sequentiallyConsistent)
        unsafe epoch.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return owed != 0
    }

    /// Initializes the memory of a frame that has never been used.
    func clear() {
        for word in unsafe 0..<Self.size { unsafe (words + word).initialize(to: Atomic(0)) }
    }
}
