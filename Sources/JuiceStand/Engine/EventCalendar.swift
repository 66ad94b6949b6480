/// The future event list: what happens next, and what happens after that.
///
/// A binary heap ordered by instant, then by the order of scheduling, so that events of one instant happen in the order
/// in which they were scheduled and a run never depends on the shape of the heap.
package struct EventCalendar<Event: Codable & Sendable>: Codable, Sendable {
    package struct Entry: Codable, Sendable {
        package let time: SimulationTime
        let order: UInt64
        package let event: Event

        /// Both halves as one number: a comparison without a branch to mispredict.
        @inline(__always)
        private var key: UInt128 { UInt128(UInt64(bitPattern: time.nanoseconds)) << 64 | UInt128(order) }

        @inline(__always)
        func precedes(_ other: Entry) -> Bool { key < other.key }
    }

    private var heap: [Entry] = []
    private var scheduled: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { heap.isEmpty }
    package var count: Int { heap.count }

    /// The instant of the next event; `never` where there is none.
    ///
    /// - Complexity: O(1)
    @inline(__always)
    package var nextTime: SimulationTime { heap.isEmpty ? .never : heap[0].time }

    /// Enters `event` at `time`; what is scheduled for `never` is dropped, since it does not happen.
    ///
    /// - Precondition: `time` is not negative.
    /// - Complexity: O(log *n*)
    package mutating func schedule(_ event: Event, at time: SimulationTime) {
        precondition(time >= .zero, "an event at \(time.nanoseconds) ns")
        guard time < .never else { return }
        let entry = Entry(time: time, order: scheduled, event: event)
        scheduled += 1
        heap.append(entry)
        siftUp(from: heap.count - 1)
    }

    /// Takes the next event out.
    ///
    /// - Precondition: the calendar is not empty.
    /// - Complexity: O(log *n*)
    package mutating func removeFirst() -> Entry {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return last }
        let first = heap[0]
        heap[0] = last
        siftDown(from: 0)
        return first
    }

    /// Drops every event that `isStale` says will have no effect.
    ///
    /// - Complexity: O(*n*)
    package mutating func removeAll(where isStale: (Event) -> Bool) {
        heap.removeAll { isStale($0.event) }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    /// Whether every event entered satisfies `predicate`.
    ///
    /// - Complexity: O(*n*)
    package func allSatisfy(_ predicate: (Event) -> Bool) -> Bool {
        heap.allSatisfy { predicate($0.event) }
    }

    private mutating func siftUp(from start: Int) {
        // A span: the array is looked at for sharing once and not at every step.
        var heap = heap.mutableSpan
        var hole = start
        let entry = heap[hole]
        while hole > 0 {
            let parent = (hole - 1) / 2
            guard entry.precedes(heap[parent]) else { break }
            heap[hole] = heap[parent]
            hole = parent
        }
        heap[hole] = entry
    }

    private mutating func siftDown(from start: Int) {
        var heap = heap.mutableSpan
        let count = heap.count
        var hole = start
        let entry = heap[hole]
        while true {
            var child = 2 * hole + 1
            guard child < count else { break }
            if child + 1 < count { child += heap[child + 1].precedes(heap[child]) ? 1 : 0 }
            guard heap[child].precedes(entry) else { break }
            heap[hole] = heap[child]
            hole = child
        }
        heap[hole] = entry
    }
}
