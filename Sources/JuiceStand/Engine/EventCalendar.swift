/// The future event list: what happens next, and what happens after that.
///
/// A binary heap ordered by instant, then by the order of scheduling, so that events of one instant happen in the order
/// in which they were scheduled and a run never depends on the shape of the heap.
package struct EventCalendar<Event: BitwiseCopyable & Codable & Sendable>: Codable, Sendable {
    package struct Entry: BitwiseCopyable, Codable, Sendable {
        package let time: SimulationTime
        let order: UInt64
        package let event: Event

        /// Both halves as one number: a comparison without a branch to mispredict.
        @inline(__always)
        private var key: UInt128 { UInt128(UInt64(bitPattern: time.nanoseconds)) << 64 | UInt128(order) }

        @inline(__always)
        func precedes(_ other: Entry) -> Bool { key < other.key }
    }

    private var heap = Table<Entry>()
    private var scheduled: UInt64 = 0
    /// Whether the first entry has been taken out and its place not been filled again.
    private var isTopVacant = false

    package init() {}

    package var isEmpty: Bool { count == 0 }
    package var count: Int { heap.count - (isTopVacant ? 1 : 0) }

    /// The instant of the next event; `never` where there is none.
    ///
    /// - Precondition: the place of the last event taken has been closed up.
    /// - Complexity: O(1)
    @inline(__always)
    package var nextTime: SimulationTime {
        assert(!isTopVacant, "what is next is not known")
        return heap.isEmpty ? .never : heap[0].time
    }

    /// Enters `event` at `time`; what is scheduled for `never` is dropped, since it does not happen.
    ///
    /// - Precondition: `time` is not negative.
    /// - Complexity: O(log *n*)
    @inline(__always)
    package mutating func schedule(_ event: Event, at time: SimulationTime) {
        precondition(time >= .zero)
        guard time < .never else { return }
        let entry = Entry(time: time, order: scheduled, event: event)
        scheduled &+= 1
        if isTopVacant {
            // An event that brings about its like takes its place: one way down instead of one down and one up.
            isTopVacant = false
            siftDown(entry, from: 0)
        } else {
            heap.append(entry)
            siftUp(entry, from: heap.count - 1)
        }
    }

    /// Takes the next event out and leaves its place open for the event that it brings about; ``closeUp()`` comes
    /// after it.
    ///
    /// - Precondition: the calendar is not empty and closed up.
    /// - Complexity: O(1)
    @inline(__always)
    package mutating func takeFirst() -> Entry {
        assert(!isTopVacant, "what is next is not known")
        isTopVacant = true
        return heap[0]
    }

    /// Fills the place of the event taken, where no other has.
    ///
    /// - Complexity: O(log *n*)
    @inline(__always)
    package mutating func closeUp() {
        guard isTopVacant else { return }
        isTopVacant = false
        let last = heap.removeLast()
        if heap.count > 0 { siftDown(last, from: 0) }
    }

    /// Drops every event that `isStale` says will have no effect.
    ///
    /// - Complexity: O(*n*)
    package mutating func removeAll(where isStale: (Event) -> Bool) {
        closeUp()
        heap.removeAll { isStale($0.event) }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(heap[place], from: place) }
    }

    /// Whether every event entered satisfies `predicate`.
    ///
    /// - Complexity: O(*n*)
    package func allSatisfy(_ predicate: (Event) -> Bool) -> Bool {
        heap.dropFirst(isTopVacant ? 1 : 0).allSatisfy { predicate($0.event) }
    }

    /// As ``Table/own()``.
    package mutating func own() { heap.own() }

    // Places stay below the number of entries in both: a parent's is smaller than its child's, and a child's is compared
    // with the number before it is used. So they are not checked again.

    /// Puts `entry` in at `start` or above.
    ///
    /// - Precondition: `start` is less than the number of entries.
    @inline(__always)
    private mutating func siftUp(_ entry: Entry, from start: Int) {
        var hole = start
        while hole > 0 {
            let parent = (hole &- 1) / 2
            guard unsafe entry.precedes(heap[unchecked: parent]) else { break }
            unsafe heap[unchecked: hole] = heap[unchecked: parent]
            hole = parent
        }
        heap[hole] = entry
    }

    /// Puts `entry` in at `start` or below.
    private mutating func siftDown(_ entry: Entry, from start: Int) {
        let count = heap.count
        var hole = start
        while true {
            var child = 2 &* hole &+ 1
            guard child < count else { break }
            if child &+ 1 < count {
                child &+= unsafe heap[unchecked: child &+ 1].precedes(heap[unchecked: child]) ? 1 : 0
            }
            guard unsafe heap[unchecked: child].precedes(entry) else { break }
            unsafe heap[unchecked: hole] = heap[unchecked: child]
            hole = child
        }
        heap[hole] = entry
    }
}
