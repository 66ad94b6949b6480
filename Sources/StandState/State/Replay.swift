import JuiceStand
import Platform

/// Does over again what a state tells: the same changes at the same stand times, and all that follows from them.
package struct Replay {
    package private(set) var stand: Stand
    package private(set) var desk: ChangeDesk
    /// The latest stand time that the state tells of.
    package private(set) var latest: SimulationTime
    /// Where the ledger's file begins, if the state says so; the number of its first line.
    package private(set) var ledgerBegins: UInt64?
    private var changes: [(number: UInt64, at: SimulationTime, change: StandChange, key: String?)] = []
    private var done = 0

    /// - Throws: ``StateError`` where the settings of the stand can't be had again.
    package init(_ found: FoundState, folder: String) throws(StateError) {
        stand = try found.saved.makeStand(file: "\(folder)/snapshot")
        desk = found.saved.desk
        latest = stand.now
        learn(found.records)
    }

    /// Takes in what has been written since.
    package mutating func learn(_ records: [JournalRecord]) {
        for record in records {
            switch record {
            case .mark(let time): latest = max(latest, time)
            case .ledgerBegins(let sequence): ledgerBegins = sequence
            case .change(let number, let time, let change, let key):
                guard number > (changes.last?.number ?? desk.made) else { continue }
                latest = max(latest, time)
                changes.append((number, time, change, key))
            }
        }
    }

    /// Leaves out changes beyond a number: those that may yet be refused, or are learnt when they are made.
    package mutating func forgetChanges(after number: UInt64) {
        changes.removeAll { $0.number > number }
    }

    /// Opens the stand if need be and makes the changes up to the one numbered `number`.
    ///
    /// - Parameter goOn: Asked now and then; where it says no, the rest is left.
    package mutating func makeChanges(
        upTo number: UInt64 = .max, _ out: FactPublisher, while goOn: () -> Bool = { true }
    ) {
        if stand.factsAnnounced == 0 { stand.open(out) }
        while done < changes.count, changes[done].number <= number, !stand.isClosed {
            let next = changes[done]
            repeat { guard goOn() else { return } } while !stand.advance(to: next.at, limit: Self.slice, out)
            _ = desk.make(next.change, key: next.key, in: &stand, at: next.at, out)
            done += 1
        }
        if done > 1 << 12 {
            changes.removeFirst(done)
            done = 0
        }
    }

    /// Lets happen what must have, for so many facts to have been announced.
    ///
    /// - Returns: whether it came to so many.
    package mutating func advance(toFact sequence: UInt64, _ out: FactPublisher, while goOn: () -> Bool = { true })
        -> Bool
    {
        var steps = 0
        while stand.factsAnnounced < sequence {
            guard stand.nextTime < .never, !stand.isClosed, !stand.isPaused, !stand.isOver else { return false }
            stand.step(out)
            steps += 1
            if steps % Self.slice == 0, !goOn() { return false }
        }
        return true
    }

    private static let slice = 4096
}
