/// A queue in an array that grows as needed.
struct Ring<Element> {
    private var elements: [Element?] = []
    private var start = 0
    private(set) var count = 0

    /// The oldest element; there must be one.
    var first: Element {
        get { unsafe elements[start].unsafelyUnwrapped }
        set { elements[start] = newValue }
    }

    /// Adds the newest element.
    ///
    /// - Complexity: O(1) amortized.
    mutating func append(_ element: Element) {
        if count == elements.count {
            elements = (0..<count).map { elements[(start + $0) % count] }
            elements += Array(repeating: nil, count: max(8, count))
            start = 0
        }
        elements[(start + count) % elements.count] = element
        count += 1
    }

    /// Removes the oldest element; `nil` if there is none.
    ///
    /// - Complexity: O(1).
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = elements[start].take()
        start = (start + 1) % elements.count
        count -= 1
        return element
    }
}
