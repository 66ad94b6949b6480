/// The future event list of a simulation.
///
/// A binary heap, ordered by time and then by the order of scheduling. So simultaneous events happen in the order in
/// which they were scheduled, whatever the shape of the heap.
package struct EventCalendar<Event: HotArrayElement>: Codable, Sendable {
    /// An event and its time.
    package struct Entry: HotArrayElement {
        package private(set) var time: SimulationTime
        private(set) var order: UInt64
        package private(set) var event: Event

        /// Time and order as one number, which is compared without a branch. A branch here made a busy stand 15%
        /// slower.
        @inline(__always)
        private var key: UInt128 { UInt128(UInt64(bitPattern: time.nanoseconds)) << 64 | UInt128(order) }

        @inline(__always)
        func precedes(_ other: Entry) -> Bool { key < other.key }

        package static var blank: Entry? { Event.blank.map { Entry(time: .zero, order: 0, event: $0) } }

        package mutating func pass(_ row: inout HotArrayRow) {
            row.pass(&time)
            row.pass(&order)
            event.pass(&row)
        }
    }

    private var heap = HotArray<Entry>()
    private var scheduled: UInt64 = 0
    /// Whether the first entry has been taken and its place not yet filled.
    private var isTopVacant = false

    package init() {}

    package var count: Int { heap.count - (isTopVacant ? 1 : 0) }

    /// The time of the next event; `never` if there is none.
    ///
    /// - Precondition: ``closeUp()`` followed the last ``takeFirst()``.
    /// - Complexity: O(1)
    @inline(__always)
    package var nextTime: SimulationTime {
        assert(!isTopVacant, "takeFirst() was not followed by closeUp()")
        return heap.isEmpty ? .never : heap[0].time
    }

    /// Schedules `event` at `time`. An event at `never` is dropped.
    ///
    /// - Precondition: `time` is not negative.
    /// - Complexity: O(log *n*) for *n* events.
    @inline(__always)
    package mutating func schedule(_ event: Event, at time: SimulationTime) {
        precondition(time >= .zero)
        guard time < .never else { return }
        let entry = Entry(time: time, order: scheduled, event: event)
        scheduled &+= 1
        if isTopVacant {
            // A new event takes the place of the one just taken: one sift instead of two.
            isTopVacant = false
            siftDown(entry, from: 0)
        } else {
            heap.append(entry)
            siftUp(entry, from: heap.count - 1)
        }
    }

    /// Removes the next event. Its place remains open for an event scheduled before ``closeUp()``.
    ///
    /// - Precondition: The calendar is not empty, and ``closeUp()`` followed the last call.
    /// - Complexity: O(1)
    @inline(__always)
    package mutating func takeFirst() -> Entry {
        assert(!isTopVacant, "takeFirst() was not followed by closeUp()")
        isTopVacant = true
        return heap[0]
    }

    /// Fills the place of the event taken last, unless a new event already has.
    ///
    /// - Complexity: O(log *n*) for *n* events.
    @inline(__always)
    package mutating func closeUp() {
        guard isTopVacant else { return }
        isTopVacant = false
        let last = heap.removeLast()
        if heap.count > 0 { siftDown(last, from: 0) }
    }

    /// Removes the events for which `isStale` returns true.
    ///
    /// - Complexity: O(*n*) for *n* events.
    package mutating func removeAll(where isStale: (Event) -> Bool) {
        closeUp()
        heap.removeAll { isStale($0.event) }
        restoreOrder()
    }

    /// Gives every event a new time; `never` removes it. Events of one time keep the order in which they were
    /// scheduled.
    ///
    /// - Parameter newTime: Called once for each event, with its time. The result must not be negative.
    /// - Complexity: O(*n*) for *n* events.
    package mutating func reschedule(_ newTime: (Event, SimulationTime) -> SimulationTime) {
        closeUp()
        for place in 0..<heap.count {
            let entry = heap[place]
            let time = newTime(entry.event, entry.time)
            precondition(time >= .zero)
            heap[place] = Entry(time: time, order: entry.order, event: entry.event)
        }
        heap.removeAll { $0.time == .never }
        restoreOrder()
    }

    /// Makes the entries a heap again.
    private mutating func restoreOrder() {
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(heap[place], from: place) }
    }

    /// Whether every scheduled event satisfies `predicate`.
    ///
    /// - Complexity: O(*n*) for *n* events.
    package func allSatisfy(_ predicate: (Event) -> Bool) -> Bool {
        heap.dropFirst(isTopVacant ? 1 : 0).allSatisfy { predicate($0.event) }
    }

    /// See ``HotArray/own()``.
    package mutating func own() { heap.own() }

    // Places are not checked again in these two: a parent's place is smaller than its child's, and a child's place is
    // compared with the number of entries before it is used.

    /// Inserts `entry` at `start` or above.
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

    /// Inserts `entry` at `start` or below.
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
