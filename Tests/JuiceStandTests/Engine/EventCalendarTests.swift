import Foundation
import JuiceStand
import Testing

private func at(_ nanoseconds: Int64) -> SimulationTime { SimulationTime(nanoseconds: nanoseconds) }

extension EventCalendar {
    fileprivate mutating func removeFirst() -> Entry {
        let first = takeFirst()
        closeUp()
        return first
    }

    fileprivate mutating func drain() -> [Event] {
        var events: [Event] = []
        while count > 0 { events.append(removeFirst().event) }
        return events
    }
}

@Test func `an empty calendar has no next time and drops events at never`() {
    var calendar = EventCalendar<Int>()
    #expect(calendar.nextTime == .never)
    calendar.schedule(1, at: .never)
    #expect(calendar.count == 0)
    calendar.schedule(2, at: at(.max - 1))
    #expect(calendar.nextTime == at(.max - 1))
    #expect(calendar.removeFirst().time == at(.max - 1))
    #expect(calendar.nextTime == .never)
}

/// The calendar as its documentation has it: an array, sorted by time, later entries behind earlier ones.
private struct SortedCalendar {
    var entries: [(time: Int64, event: Int)] = []

    mutating func schedule(_ event: Int, at time: Int64) {
        let place = entries.firstIndex { $0.time > time } ?? entries.count
        entries.insert((time, event), at: place)
    }
}

@Test(arguments: 0..<30 as Range<UInt64>)
func `a calendar behaves like a sorted array`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // Few instants give many events of one instant, many instants a deep heap.
    let instants: Int64 = [1, 3, 50, 100_000].randomElement(using: &random)!
    var calendar = EventCalendar<Int>()
    var sorted = SortedCalendar()
    for event in 0..<400 {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60:
            let time = Int64.random(in: 0..<instants, using: &random)
            calendar.schedule(event, at: at(time))
            sorted.schedule(event, at: time)
        case 60..<75:
            // Taken and followed by its like, as an arrival is: the place is filled and not closed up.
            guard !sorted.entries.isEmpty else { continue }
            let expected = sorted.entries.removeFirst()
            let entry = calendar.takeFirst()
            #expect(entry.time == at(expected.time) && entry.event == expected.event, "seed \(seed), event \(event)")
            for follower in 0..<Int.random(in: 0...2, using: &random) {
                let time = Int64.random(in: expected.time..<(expected.time + instants), using: &random)
                calendar.schedule(event + 1000 * follower, at: at(time))
                sorted.schedule(event + 1000 * follower, at: time)
            }
            #expect(calendar.count == sorted.entries.count, "seed \(seed), event \(event)")
            calendar.closeUp()
        case 75..<95:
            guard !sorted.entries.isEmpty else { continue }
            let expected = sorted.entries.removeFirst()
            let entry = calendar.removeFirst()
            #expect(entry.time == at(expected.time) && entry.event == expected.event, "seed \(seed), event \(event)")
        case 95..<98:
            let divisor = Int.random(in: 2...5, using: &random)
            calendar.removeAll { $0 % divisor == 0 }
            sorted.entries.removeAll { $0.event % divisor == 0 }
        default:
            calendar = try JSONDecoder().decode(EventCalendar<Int>.self, from: JSONEncoder().encode(calendar))
        }
        #expect(calendar.count == sorted.entries.count, "seed \(seed), event \(event)")
        #expect(calendar.nextTime == sorted.entries.first.map { at($0.time) } ?? .never, "seed \(seed), event \(event)")
    }
    #expect(calendar.drain() == sorted.entries.map(\.event), "seed \(seed)")
}

@Test func `events that are moved come in the order of their new times`() {
    var calendar = EventCalendar<Int>()
    for number in 1...9 { calendar.schedule(number, at: SimulationTime(seconds: Double(number))) }
    calendar.reschedule { number, time in number % 3 == 0 ? .never : SimulationTime(seconds: 10) - time }
    var taken: [Int] = []
    while calendar.count > 0 {
        taken.append(calendar.takeFirst().event)
        calendar.closeUp()
    }
    #expect(taken == [8, 7, 5, 4, 2, 1])
}
