/// A queue in memory whose size is a power of two, and grows as needed.
@safe
struct Ring<Element>: ~Copyable {
    private var elements: UnsafeMutablePointer<Element>
    private var mask = -1
    private var start = 0
    private(set) var count = 0

    init() { unsafe elements = .allocate(capacity: 0) }

    deinit {
        for offset in 0..<count { unsafe place(offset).deinitialize(count: 1) }
        unsafe elements.deallocate()
    }

    private func place(_ offset: Int) -> UnsafeMutablePointer<Element> {
        unsafe elements + ((start + offset) & mask)
    }

    /// Adds the newest element.
    ///
    /// - Complexity: O(1) amortized.
    mutating func append(_ element: Element) {
        if count > mask { grow() }
        unsafe place(count).initialize(to: element)
        count += 1
    }

    private mutating func grow() {
        let capacity = max(8, 2 * count)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        for offset in 0..<count { unsafe (larger + offset).moveInitialize(from: place(offset), count: 1) }
        unsafe elements.deallocate()
        unsafe elements = larger
        mask = capacity - 1
        start = 0
    }

    /// Removes the oldest element; `nil` if there is none.
    ///
    /// - Complexity: O(1).
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = unsafe place(0).move()
        start = (start + 1) & mask
        count -= 1
        return element
    }
}
