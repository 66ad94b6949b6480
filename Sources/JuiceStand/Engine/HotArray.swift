/// The array of the hot path: trivial elements in memory of its own.
///
/// Before every change, an array asks the runtime whether its memory is shared. The call spills all registers. With a
/// dozen changes per customer it would take half of the time. A hot array asks once before a series of changes, in
/// ``own()``.
///
/// A hot array is a value like an array on one condition: its owner calls ``own()`` before a series of changes during
/// which no one can copy it. A ``Stand`` does so at the start of each mutating function. Changing shared memory traps
/// in debug builds.
///
/// Memory is safe for three reasons, all visible in this file. Elements are trivial, so they need no initialization or
/// release. Every place is checked against `count`, which never exceeds the capacity. The memory is freed with the last
/// hot array that refers to it.
///
/// Unchecked because of the pointer. It is safe to send like an array: memory shared by two of them is only read.
@safe
package struct HotArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    private var memory: HotArrayMemory
    /// The elements of `memory`, one load closer.
    private var elements: UnsafeMutablePointer<Element>
    private var capacity: Int
    package private(set) var count = 0

    package init() {
        self.init(capacity: 4)
    }

    package init(_ elements: some Collection<Element>) {
        self.init(capacity: Swift.max(4, elements.count))
        for element in elements { append(element) }
    }

    private init(capacity: Int) {
        memory = HotArrayMemory(
            byteCount: capacity * MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment)
        unsafe elements = memory.start.bindMemory(to: Element.self, capacity: capacity)
        self.capacity = capacity
    }

    /// Gives the array memory that no other one shares.
    ///
    /// - Complexity: O(1) if it has such memory, else O(*n*) for *n* elements.
    package mutating func own() { if !isKnownUniquelyReferenced(&memory) { move(toCapacity: capacity) } }

    @inline(never)
    private mutating func move(toCapacity capacity: Int) {
        let old = self
        self = HotArray(capacity: capacity)
        count = old.count
        withExtendedLifetime(old) { unsafe elements.update(from: $0.elements, count: count) }
    }

    @inline(__always)
    private mutating func willChange() {
        assert(isKnownUniquelyReferenced(&memory), "own() was not called before this change")
    }
}

/// Memory that is freed with the last hot array that refers to it. Not generic: a debug build would look up its type
/// before every change.
@safe
private final class HotArrayMemory {
    let start: UnsafeMutableRawPointer

    init(byteCount: Int, alignment: Int) { unsafe start = .allocate(byteCount: byteCount, alignment: alignment) }

    deinit { unsafe start.deallocate() }
}

// MARK: - Elements

extension HotArray {
    /// - Precondition: `place` is from 0 to ``count`` − 1.
    @inline(__always)
    package subscript(place: Int) -> Element {
        get {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
            return unsafe elements[place]
        }
        _modify {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
            willChange()
            yield unsafe &elements[place]
        }
    }

    /// Changes an element in place. The compiler inlines this fully, unlike the accesses of a subscript.
    ///
    /// - Precondition: `place` is from 0 to ``count`` − 1.
    @inline(__always)
    mutating func change(_ place: Int, _ body: (inout Element) -> Void) {
        precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
        willChange()
        unsafe body(&elements[place])
    }

    /// An element whose place is checked in debug builds only, for the calendar, the histogram and the weights.
    ///
    /// - Precondition: `place` is from 0 to ``count`` − 1.
    @unsafe
    @inline(__always)
    subscript(unchecked place: Int) -> Element {
        get {
            assert(UInt(bitPattern: place) < UInt(bitPattern: count))
            return unsafe elements[place]
        }
        set {
            assert(UInt(bitPattern: place) < UInt(bitPattern: count))
            willChange()
            unsafe elements[place] = newValue
        }
    }

    /// - Complexity: O(1) amortized.
    @inline(__always)
    package mutating func append(_ element: Element) {
        willChange()
        if count == capacity { move(toCapacity: 2 * capacity) }
        unsafe elements[count] = element
        count &+= 1
    }

    /// - Precondition: The array is not empty.
    @inline(__always)
    package mutating func removeLast() -> Element {
        precondition(count > 0)
        count &-= 1
        return unsafe elements[count]
    }

    /// Removes the first `removed` elements.
    ///
    /// - Complexity: O(*n*) for *n* remaining elements.
    package mutating func removeFirst(_ removed: Int) {
        precondition((0...count).contains(removed))
        willChange()
        unsafe elements.update(from: elements + removed, count: count - removed)
        count -= removed
    }

    package mutating func removeAll() { count = 0 }

    /// - Complexity: O(*n*) for *n* elements.
    package mutating func removeAll(where isOut: (Element) -> Bool) {
        willChange()
        var kept = 0
        for place in 0..<count {
            let element = unsafe elements[place]
            guard !isOut(element) else { continue }
            unsafe elements[kept] = element
            kept += 1
        }
        count = kept
    }
}

extension HotArray: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }
}

extension HotArray: Equatable where Element: Equatable {
    package static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}

extension HotArray: Codable where Element: HotArrayElement {
    private enum CodingKeys: CodingKey {
        case numbers
        // An array of numbers, in states of earlier versions.
        case rows
    }

    /// Also reads elements by the names of their members, as earlier versions wrote them.
    package init(from decoder: any Decoder) throws {
        guard var element = Element.blank, case let members = try decoder.container(keyedBy: CodingKeys.self),
            members.contains(.numbers) || members.contains(.rows)
        else {
            self.init(try [Element](from: decoder))
            return
        }
        self.init()
        let text =
            members.contains(.numbers)
            ? try members.decode(String.self, forKey: .numbers)
            : try members.decode([Int64].self, forKey: .rows).map { "\($0) " }.joined()
        var row = HotArrayRow(reading: text)
        while !row.isAtEnd {
            element.pass(&row)
            append(element)
        }
        guard !row.isWrong else {
            throw DecodingError.dataCorruptedError(forKey: .numbers, in: members, debugDescription: "rows of others")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        guard Element.blank != nil else { return try Array(self).encode(to: encoder) }
        var row = HotArrayRow()
        for var element in self { element.pass(&row) }
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(row.text, forKey: .numbers)
    }
}
