public import ThreadLocalFrame

/// What a thread announces about one post that it has under way.
///
/// ```
/// place | debt | epoch
/// ```
///
/// - `place` is the address of the slot whose observer the thread is calling or about to call; 0 between posts, and 1 in
///   a frame that has never been used, with which a post takes the careful path. Other threads read it.
/// - `debt` is set by a thread that waits for the post to end. The posting thread then reclaims what was waiting.
/// - `epoch` advances when a post ends with a debt, so a thread that waits for one post does not take a later one for
///   it.
@frozen @usableFromInline @unsafe
struct PostingFrame {
    @usableFromInline let words: UnsafeMutablePointer<Word>

    @inlinable @inline(__always)
    init(words: UnsafeMutablePointer<Word>) {
        unsafe self.words = words
    }

    /// The frame that the next post of this thread uses: the first that no post is using.
    ///
    /// The address is asked for each time: after a suspension a function may run on another thread.
    @inlinable @inline(__always)
    static var current: (frame: PostingFrame, isReady: Bool) {
        var frame = unsafe PostingFrame(words: UnsafeMutablePointer(bitPattern: juicestand_frame()).unsafelyUnwrapped)
        var place = unsafe frame.place.pointee.relaxedLoad()
        while place > 1 {
            unsafe frame = frame.next
            place = unsafe frame.place.pointee.relaxedLoad()
        }
        return unsafe (frame, place == 0)
    }

    @inlinable @inline(__always)
    var place: UnsafeMutablePointer<Word> { unsafe words }

    @inlinable @inline(__always)
    var debt: UnsafeMutablePointer<Word> { unsafe words.advanced(unchecked: 1) }

    @inlinable @inline(__always)
    var epoch: UnsafeMutablePointer<Word> { unsafe words.advanced(unchecked: 2) }

    /// Whether a post may use the frame as it is.
    @inlinable @inline(__always)
    var isReady: Bool { unsafe place.pointee.relaxedLoad() == 0 }

    /// The frame of a post nested in this one's.
    @inlinable @inline(__always)
    var next: PostingFrame { unsafe PostingFrame(words: words.advanced(unchecked: PostingFrame.size)) }

    /// Words from one frame to the next.
    @inlinable @inline(__always)
    static var size: Int { 3 }

    /// Makes the frame usable, and the next one one that has never been used.
    func prepare() {
        unsafe next.clear()
        unsafe place.pointee.relaxedStore(0)
    }

    /// Takes the debt of a post that is over, and begins a new epoch; `true` if there was a debt.
    ///
    /// In this order: a debt that is set in between counts for the next post of the frame, which is not in the epoch
    /// that the other thread read before.
    func pay() -> Bool {
        let owed = unsafe debt.pointee.exchange(0)
        unsafe epoch.pointee.add(1)
        return owed != 0
    }

    /// Initializes the memory of a frame that has never been used.
    func clear() {
        for word in unsafe 0..<Self.size { unsafe (words + word).initialize(to: Word(word == 0 ? 1 : 0)) }
    }
}
