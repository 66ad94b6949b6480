/// An element with a place in the sequence of a stand's facts.
package protocol Sequenced {
    /// The number of the last fact before it.
    var sequence: UInt64 { get }
    /// The approximate size in bytes; 0 if it is negligible.
    var size: Int { get }
}

/// A limited number of elements at even spacing, which take at most 100 MB together unless there are only two.
///
/// When there are too many, every second one is removed, and the spacing doubles. The first one stays.
package struct ThinnedSeries<Element: Sequenced> {
    private static var mostBytes: Int { 100 << 20 }

    package private(set) var elements: [Element] = []
    /// Facts from one element to the next.
    package private(set) var spacing: UInt64
    private let most: Int

    /// - Parameters:
    ///   - most: The most elements; at least 2.
    ///   - spacing: Facts from one element to the next, at first.
    package init(most: Int = 64, spacing: UInt64) {
        self.most = most
        self.spacing = spacing
    }

    /// The number of facts from which on the next element is due.
    package var next: UInt64 { elements.last.map { $0.sequence + spacing } ?? 0 }

    /// Adds an element, which must be due.
    package mutating func append(_ element: Element) {
        elements.append(element)
        // Elements of size 0 need no sum.
        func isTooLarge() -> Bool {
            element.size > 0 && elements.count > 2 && elements.reduce(0, { $0 + $1.size }) > Self.mostBytes
        }
        while elements.count > most || isTooLarge() {
            elements = stride(from: 0, to: elements.count, by: 2).map { elements[$0] }
            spacing *= 2
        }
    }

    /// Removes the elements before a number of facts.
    package mutating func removeAll(before sequence: UInt64) {
        elements.removeAll { $0.sequence < sequence }
    }
}

extension ThinnedSeries: Sendable where Element: Sendable {}
extension ThinnedSeries: Codable where Element: Codable {}
