import Dispatch
import JuiceStand
import Platform
import TextFormats

/// Follows the events of any number of stands, across restarts: of each stand every event once, in order.
///
/// One thread does it all: ``advance(within:_:)`` waits for what arrives, and reports it. It reads a piece of each
/// stand, and nothing ahead. So a slow stand does not hold back the others, and a slow caller slows the streams and
/// needs no memory. Of a stand only the part of an answer or an event is kept that has arrived; see ``AnswerReader``.
package struct StandsFollower {
    /// News of one stand.
    package enum News: Equatable, Sendable {
        /// A line of the ledger, without its line feed.
        case event(line: ArraySlice<UInt8>, sequence: UInt64)
        /// The events between these numbers are lost; `first` comes next.
        case gap(after: UInt64, first: UInt64)
        /// Another stand answers than the one followed up to event `after`; `first` comes next.
        case otherStand(after: UInt64, first: UInt64)
        /// The stand can't be followed now. It is tried again.
        case away(reason: String)
        /// The stand answers again.
        case back
        /// The status, if that is followed.
        case status(StatusDocument)
    }

    /// The documents that are followed: events or the status.
    package enum Subject: Sendable {
        /// The events of each stand after a number; nil is from now on.
        case events(after: @Sendable (StandTarget) -> UInt64?)
        /// The status, again and again after this many milliseconds.
        case status(every: UInt64)
    }

    // Times in milliseconds.

    /// The backoff between attempts: the first pause, which doubles each time, and the longest pause.
    private static let pause: (first: UInt64, longest: UInt64) = (250, 30_000)
    /// The timeout for a connection and an answer.
    private static let timeout: UInt64 = 10_000
    /// A stand without even a heartbeat counts as gone after this time.
    private static let silence: UInt64 = 60_000
    /// The poll interval for the list of stands.
    private static let interval: UInt64 = 1000
    /// How long the first names wait for stands that do not answer.
    private static let gathering: UInt64 = 1000

    /// Bytes that are read of a stand before the others have their turn.
    private static let pieceSize = 32 << 10

    /// The stands, also those that are no longer wanted: they know where to go on.
    package private(set) var stands: [FollowedStand] = []
    private var targets: StandTargets
    /// When ``refresh()`` looks at the list of stands again, in nanoseconds of the monotonic clock.
    private var nextLook = Self.instant(in: interval)
    private let subject: Subject
    private let output: Int32?
    private let stop: StopSignal
    private var buffer = [UInt8](repeating: 0, count: pieceSize)
    private var random = SystemRandomNumberGenerator()
    /// When the first names are given at the latest; nil once they are.
    private var endOfGathering: UInt64? = Self.instant(in: gathering)

    /// - Parameters:
    ///   - output: Following ends when the reader of this descriptor goes away.
    ///   - stop: Ends following.
    package init(_ targets: StandTargets, _ subject: Subject, output: Int32? = nil, stop: StopSignal) {
        self.targets = targets
        self.subject = subject
        self.output = output
        self.stop = stop
        follow()
    }

    /// Follows one stand from the event after the one numbered `last`.
    package init(_ target: StandTarget, after last: UInt64, stop: StopSignal) {
        self.init(StandTargets([target]), .events { _ in last }, stop: stop)
    }

    /// Looks once a second whether the list of stands has changed. Call it after each ``advance(within:_:)``.
    ///
    /// - Returns: The new list; nil if it is as before.
    /// - Throws: Why the list can't be read. The stands stay as they are.
    package mutating func refresh() throws(StandTargetsError) -> [StandTargets.Target]? {
        guard monotonicNanoseconds() >= nextLook else { return nil }
        nextLook = Self.instant(in: Self.interval)
        guard try targets.refresh() else { return nil }
        follow()
        return targets.targets
    }

    /// Follows the stands of the list and no others. One that was followed before goes on where it was.
    private mutating func follow() {
        for stand in stands { stand.isWanted = false }
        let known = Dictionary(stands.map { ($0.target, $0) }) { first, _ in first }
        for (target, label) in targets.targets {
            if let known = known[target] {
                known.isWanted = true
                if known.relabel(label), known.name != nil {
                    known.name = nil
                    known.name = freeNames(for: [known])[0]
                }
                // A closed stand may have been opened again.
                if known.hasEnded, case .idle = known.phase { known.close(until: 0) }
            } else {
                let last: UInt64? = if case .events(let after) = subject { after(target) } else { nil }
                stands.append(FollowedStand(target, label: label, after: last))
            }
        }
        for stand in stands where !stand.isWanted { stand.close(until: 0) }
    }

    /// Closes all connections.
    package func close() { for stand in stands { stand.close(until: .max) } }

    /// Whether following was stopped or the reader is gone.
    package var isOver: Bool {
        var requests = ownRequests
        _ = unsafe poll(&requests, nfds_t(requests.count), 0)
        return Self.isOver(requests)
    }

    private var ownRequests: [pollfd] {
        [
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            // No events requested: a reader that goes away is always reported.
            pollfd(fd: output ?? -1, events: 0, revents: 0),
        ]
    }

    private static func isOver(_ requests: [pollfd]) -> Bool { requests[0].revents != 0 || requests[1].revents != 0 }

    private static func instant(in milliseconds: UInt64) -> UInt64 {
        monotonicNanoseconds() + milliseconds * 1_000_000
    }

    /// Waits for news of any stand, and reports it.
    ///
    /// - Parameter milliseconds: The longest wait.
    /// - Returns: False once all stands have closed, following was stopped, or the reader is gone.
    package mutating func advance(within milliseconds: UInt64 = 1000, _ report: (FollowedStand, News) -> Void) -> Bool {
        let now = monotonicNanoseconds()
        for stand in stands where stand.isWanted { begin(stand, at: now, report) }
        giveNames(at: now, report)
        var next = min(Self.instant(in: milliseconds), endOfGathering ?? .max)
        var requests = ownRequests
        var talking: [FollowedStand] = []
        for stand in stands where stand.isWanted {
            switch stand.phase {
            case .idle(let instant): next = min(next, instant)
            case .resolving: next = min(next, now + 20_000_000)
            case .nameless: break
            case .talking(let exchange, let deadline):
                next = min(next, deadline)
                talking.append(stand)
                requests.append(exchange.readiness)
            }
        }
        let wait = next > now ? (next - now) / 1_000_000 + 1 : 0
        _ = unsafe poll(&requests, nfds_t(requests.count), Int32(clamping: wait))
        if Self.isOver(requests) { return false }
        let end = monotonicNanoseconds()
        for (stand, request) in zip(talking, requests[2...]) {
            guard case .talking(let exchange, _) = stand.phase else { continue }
            if request.revents != 0 {
                for item in exchange.advance(&buffer) { take(item, of: stand, report) }
            }
            // Only a complete answer, event or heartbeat moves the deadline.
            guard case .talking(_, let deadline) = stand.phase, deadline <= end else { continue }
            lose(stand, exchange.hasSent && exchange.isStream ? Self.silent : Self.late, report)
        }
        return !stands.contains { $0.isWanted } || stands.contains { $0.isWanted && !$0.hasEnded }
    }

    private static let silent = "the stand has sent nothing for \(silence / 1000) s"
    private static let late = "the stand did not answer within \(timeout / 1000) s"
    private static let noStand = "not a juice stand: the status has no opening date and seed"
}

// MARK: - Connecting

extension StandsFollower {
    /// Begins a request, if it is time.
    private mutating func begin(_ stand: FollowedStand, at now: UInt64, _ report: (FollowedStand, News) -> Void) {
        switch stand.phase {
        case .idle(let instant) where instant <= now:
            guard stand.target.needsNameServer else {
                stand.addresses = stand.target.addresses
                return connect(stand, isStream: false, report)
            }
            let resolution = FollowedStand.Resolution()
            let target = stand.target
            stand.phase = .resolving(resolution)
            // The name server may take seconds.
            DispatchQueue.global().async {
                let addresses = target.addresses
                resolution.addresses.withLock { $0 = addresses }
            }
        case .resolving(let resolution):
            guard let addresses = resolution.addresses.withLock({ $0 }) else { return }
            stand.addresses = addresses
            connect(stand, isStream: false, report)
        default: break
        }
    }

    /// Asks for the status, or for the events.
    private mutating func connect(_ stand: FollowedStand, isStream: Bool, _ report: (FollowedStand, News) -> Void) {
        let address = stand.addresses.isEmpty ? nil : stand.addresses[stand.failures % stand.addresses.count]
        let resuming = isStream ? "Last-Event-ID: \(stand.last ?? 0)\r\n" : ""
        // HTTP/1.0 content ends with the connection and needs no framing.
        let request =
            "GET /api/v1/\(isStream ? "events" : "status") HTTP/1.0\r\nHost: \(stand.target.host)\r\n\(resuming)\r\n"
        do throws(StandClientError) {
            let exchange = try Exchange(Array(request.utf8), to: stand.target, at: address, isStream: isStream)
            stand.phase = .talking(exchange, deadline: Self.instant(in: Self.timeout))
        } catch {
            lose(stand, error.reason, report)
        }
    }

    /// Tries again after a pause. Reports the first failure.
    private mutating func lose(
        _ stand: FollowedStand, _ reason: String, isFaulty: Bool = false, _ report: (FollowedStand, News) -> Void
    ) {
        let longest = min(Self.pause.first << min(stand.failures, 10), Self.pause.longest)
        // Stands that went away together are not all tried again at one instant. A single one is tried often.
        let pause = stands.count == 1 ? Self.pause.first : UInt64.random(in: longest / 2...longest, using: &random)
        stand.close(until: Self.instant(in: pause))
        stand.wasTried = true
        stand.failures += 1
        stand.isFaulty = isFaulty
        guard !stand.isAway, !stand.hasEnded else { return }
        stand.isAway = true
        report(stand, .away(reason: reason))
    }

    /// Gives names to the stands that have answered, and follows them.
    ///
    /// The first names wait a moment for all stands, so that it does not depend on chance which of two that call
    /// themselves alike keeps its name.
    private mutating func giveNames(at now: UInt64, _ report: (FollowedStand, News) -> Void) {
        if let end = endOfGathering, now < end, stands.contains(where: { $0.isWanted && !$0.wasTried }) { return }
        endOfGathering = nil
        let nameless = stands.filter(\.isNameless)
        for (stand, name) in zip(nameless, freeNames(for: nameless)) {
            stand.name = name
            goOn(stand, report)
        }
    }

    /// Names that no other stand has.
    private func freeNames(for nameless: [FollowedStand]) -> [String] {
        let names = nameless.map(\.wish)
        let taken = Set(stands.compactMap(\.name))
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        return zip(nameless, names).map { stand, name in
            let isAlike = taken.contains(name) || counts[name] != 1
            return isAlike ? "\(name)@\(stand.target)" : name
        }
    }

    /// Takes the next step after a status: waits, or asks for the events.
    private mutating func goOn(_ stand: FollowedStand, _ report: (FollowedStand, News) -> Void) {
        switch subject {
        case _ where stand.name == nil: stand.phase = .nameless
        case .status(let pause):
            stand.phase = .idle(until: Self.instant(in: pause))
            hear(stand, report)
            if let status = stand.status { report(stand, .status(status)) }
        case .events where stand.hasEnded && stand.status?.phase == "closed":
            stand.phase = .idle(until: Self.instant(in: Self.interval))
        case .events:
            stand.hasEnded = false
            connect(stand, isStream: true, report)
        }
    }
}

// MARK: - Receiving

extension StandsFollower {
    private mutating func take(
        _ item: AnswerReader.Item, of stand: FollowedStand, _ report: (FollowedStand, News) -> Void
    ) {
        // Items after the last event or a fault do not count.
        guard case .talking = stand.phase else { return }
        switch item {
        case .fault(let reason): return lose(stand, reason, isFaulty: true, report)
        case .broken(let reason): return lose(stand, reason, report)
        case .answer(let head, let content):
            let answer = StandClient.Answer(head.status, content, least: 0)
            guard head.problem == nil, let status = answer.json else {
                return lose(stand, head.problem ?? answer.problem ?? "", isFaulty: true, report)
            }
            return take(status: status, of: stand, report)
        case .sign: if stand.isFaulty { return }
        case .gap(let after, let first):
            hear(stand, report)
            if first > after {
                let last = stand.last ?? 0
                guard first > last + 1 else {
                    let reason = "it reports a gap up to event \(first) after event \(last)"
                    return lose(stand, reason, isFaulty: true, report)
                }
                stand.last = first - 1
                return report(stand, .gap(after: max(after, last), first: first))
            }
            // The stand has not come as far as it was followed: it was opened anew.
            stand.last = stand.hasSpoken ? 0 : first - 1
            report(stand, .otherStand(after: after, first: (stand.last ?? 0) + 1))
            if stand.hasSpoken { stand.close(until: 0) }
            return
        case .line(let line, let sequence):
            let last = stand.last ?? 0
            guard sequence > last else {
                return lose(stand, "it sends event \(sequence) after event \(last)", isFaulty: true, report)
            }
            hear(stand, report)
            if sequence > last + 1 { report(stand, .gap(after: last, first: sequence)) }
            stand.last = sequence
            stand.hasSpoken = true
            report(stand, .event(line: line, sequence: sequence))
            guard LedgerLine.head(line)?.event == "closed" else { return }
            stand.hasEnded = true
            // Another may be opened in its place.
            return stand.close(until: Self.instant(in: Self.pause.first))
        }
        hear(stand, report)
    }

    /// Notes that the stand answers, and extends its deadline.
    private func hear(_ stand: FollowedStand, _ report: (FollowedStand, News) -> Void) {
        if case .talking(let exchange, _) = stand.phase {
            stand.phase = .talking(exchange, deadline: Self.instant(in: Self.silence))
        }
        stand.failures = 0
        stand.isFaulty = false
        guard stand.isAway else { return }
        stand.isAway = false
        report(stand, .back)
    }

    private mutating func take(
        status json: JSONValue, of stand: FollowedStand, _ report: (FollowedStand, News) -> Void
    ) {
        if json["stands"]?.whole != nil {
            return lose(stand, "it watches many stands; name those, or open its page", isFaulty: true, report)
        }
        guard let status = StatusDocument(ofStand: json) else {
            return lose(stand, Self.noStand, isFaulty: true, report)
        }
        stand.close(until: 0)
        stand.wasTried = true
        let known = stand.status
        stand.status = status
        let last = stand.last ?? status.sequence
        stand.last = last
        if let known, known.opens != status.opens || known.seed != status.seed {
            stand.last = 0
            stand.hasSpoken = false
            report(stand, .otherStand(after: last, first: 1))
            stand.name = nil
        }
        goOn(stand, report)
    }
}
