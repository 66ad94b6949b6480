/// Plain elements in memory of their own: the array of the hot path.
///
/// An array asks the runtime before every change whether it is shared, and the call also spills every register around
/// it; at a dozen changes a customer that is half of the time. A table is asked once for many changes, by ``own()``.
///
/// It is a value like an array, on one condition: whoever holds tables calls ``own()`` on each before a series of
/// changes, while nobody can copy them. A ``Stand`` does so on entry of each of its mutating functions. A change to shared memory
/// ends a debug build.
///
/// Memory safety rests on three things, all in this file: elements are plain bytes, so that nothing needs to be
/// released or initialized before it is overwritten; every place is checked against `count`, which is never more than
/// the memory holds; the memory is freed with the last table that refers to it. A table is `Sendable` as an array is:
/// memory that two tables share is only read.
@safe
package struct Table<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @safe
    private final class Memory {
        let elements: UnsafeMutablePointer<Element>

        init(capacity: Int) {
            unsafe elements = .allocate(capacity: capacity)
        }

        deinit { unsafe elements.deallocate() }
    }

    private var memory: Memory
    /// Of `memory`, at hand.
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
        memory = Memory(capacity: capacity)
        unsafe elements = memory.elements
        self.capacity = capacity
    }

    /// Gives the table memory that no other table shares.
    ///
    /// - Complexity: O(1) where it is so already, else O(*n*)
    package mutating func own() {
        if !isKnownUniquelyReferenced(&memory) { move(toCapacity: capacity) }
    }

    @inline(never)
    private mutating func move(toCapacity capacity: Int) {
        let old = memory
        memory = Memory(capacity: capacity)
        unsafe memory.elements.update(from: elements, count: count)
        unsafe elements = memory.elements
        self.capacity = capacity
        withExtendedLifetime(old) {}
    }

    @inline(__always)
    private mutating func willChange() {
        assert(isKnownUniquelyReferenced(&memory), "a shared table is changed")
    }
}

// MARK: - Elements

extension Table {
    /// - Precondition: `place` is from 0 to less than ``count``.
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

    /// Changes an element in place; what the compiler does not inline of a subscript, an access and its end, it does of this.
    ///
    /// - Precondition: `place` is from 0 to less than ``count``.
    @inline(__always)
    mutating func change(_ place: Int, _ body: (inout Element) -> Void) {
        precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
        willChange()
        unsafe body(&elements[place])
    }

    /// An element whose place is only checked in debug builds: for the calendar, which walks its heap by it, the
    /// histogram and the weights.
    ///
    /// - Precondition: `place` is from 0 to less than ``count``.
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

    /// - Complexity: O(1) amortized
    @inline(__always)
    package mutating func append(_ element: Element) {
        willChange()
        if count == capacity { move(toCapacity: 2 * capacity) }
        unsafe elements[count] = element
        count &+= 1
    }

    /// - Precondition: the table is not empty.
    @inline(__always)
    package mutating func removeLast() -> Element {
        precondition(count > 0)
        count &-= 1
        return unsafe elements[count]
    }

    /// Takes the first `removed` elements out.
    ///
    /// - Complexity: O(*n*) for the *n* that remain
    package mutating func removeFirst(_ removed: Int) {
        precondition((0...count).contains(removed))
        willChange()
        unsafe elements.update(from: elements + removed, count: count - removed)
        count -= removed
    }

    package mutating func removeAll() { count = 0 }

    /// - Complexity: O(*n*)
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

extension Table: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }
}

extension Table: Equatable where Element: Equatable {
    package static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}

extension Table: Codable where Element: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try [Element](from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try Array(self).encode(to: encoder)
    }
}
