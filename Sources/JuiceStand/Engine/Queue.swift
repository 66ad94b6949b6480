/// A first-in, first-out queue in one hot array.
package struct Queue<Element: HotArrayElement>: Codable, Sendable {
    private var elements = HotArray<Element>()
    private var head = 0

    package init() {}

    @inline(__always)
    package var isEmpty: Bool { head == elements.count }
    package var count: Int { elements.count - head }

    /// - Precondition: The queue is not empty.
    @inline(__always)
    package var first: Element {
        get { elements[head] }
        _modify { yield &elements[head] }
    }

    @inline(__always)
    package mutating func append(_ element: Element) { elements.append(element) }

    /// - Precondition: The queue is not empty.
    /// - Complexity: O(1) amortized.
    @inline(__always)
    package mutating func removeFirst() {
        head &+= 1
        if head == elements.count {
            elements.removeAll()
            head = 0
        } else if head >= 64, head &* 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
    }

    /// - Complexity: O(*n*) for *n* elements.
    package mutating func removeAll(where isStale: (Element) -> Bool) {
        elements.removeFirst(head)
        head = 0
        elements.removeAll(where: isStale)
    }

    /// See ``HotArray/own()``.
    package mutating func own() { elements.own() }
}

extension Queue: Sequence {
    package func makeIterator() -> IndexingIterator<Slice<HotArray<Element>>> { elements[head...].makeIterator() }
}
