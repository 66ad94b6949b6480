/// What lies at a place in the sequence of a stand's facts.
package protocol Sequenced {
    /// The number of the last fact before it.
    var sequence: UInt64 { get }
}

/// A limited number of elements at even spacing.
///
/// When there are too many, every second one is removed, and the spacing doubles. The first one stays.
package struct ThinnedSeries<Element: Sequenced> {
    package private(set) var elements: [Element] = []
    /// Facts from one element to the next.
    package private(set) var spacing: UInt64
    private let most: Int

    /// - Parameters:
    ///   - most: The most elements; at least 2.
    ///   - spacing: Facts from one element to the next, at first.
    package init(most: Int, spacing: UInt64) {
        self.most = most
        self.spacing = spacing
    }

    /// The number of facts from which on the next element is due.
    package var next: UInt64 { elements.last.map { $0.sequence + spacing } ?? 0 }

    /// Adds an element, which must be due.
    package mutating func append(_ element: Element) {
        elements.append(element)
        if elements.count > most { thin() }
    }

    /// Removes every second element.
    package mutating func thin() {
        elements = stride(from: 0, to: elements.count, by: 2).map { elements[$0] }
        spacing *= 2
    }

    /// Removes the elements before a number of facts.
    package mutating func removeAll(before sequence: UInt64) {
        elements.removeAll { $0.sequence < sequence }
    }
}

/// A copy of a stand, in memory or on the disk.
package protocol SizedCopy: Sequenced {
    /// Bytes, or about as many.
    var size: Int { get }
}

extension ThinnedSeries where Element: SizedCopy {
    /// Without copies.
    package init(spacing: UInt64) { self.init(most: 64, spacing: spacing) }

    /// Adds a copy, which must be due. All copies together take at most 100 MB, unless there are only two.
    package mutating func keep(_ copy: Element) {
        append(copy)
        while elements.count > 2, elements.reduce(0, { $0 + $1.size }) > 100 << 20 { thin() }
    }
}

extension ThinnedSeries: Sendable where Element: Sendable {}
extension ThinnedSeries: Codable where Element: Codable {}
