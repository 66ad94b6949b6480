/// First in, first out, over one array.
package struct Queue<Element: Codable & Sendable>: Codable, Sendable {
    private var elements: [Element] = []
    private var head = 0

    package init() {}

    package var isEmpty: Bool { head == elements.count }
    package var count: Int { elements.count - head }

    /// - Precondition: the queue is not empty.
    package var first: Element {
        get { elements[head] }
        set { elements[head] = newValue }
    }

    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Puts `element` before the first.
    ///
    /// - Complexity: O(1) where something has been removed before, else O(*n*)
    package mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    /// - Complexity: O(1) amortized
    package mutating func removeFirst() {
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
    }

    /// - Complexity: O(*n*)
    package mutating func removeAll(where isStale: (Element) -> Bool) {
        elements.removeFirst(head)
        head = 0
        elements.removeAll(where: isStale)
    }
}

extension Queue: Sequence {
    package func makeIterator() -> IndexingIterator<ArraySlice<Element>> { elements[head...].makeIterator() }
}
