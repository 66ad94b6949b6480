import Dispatch
import Foundation
import Platform
import StandClient
import TestSupport
import Testing
import TextFormats

/// A client of a stand that does not run, closes the connection, or does not answer.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StandClientTests {
    private static let done = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{\"at\":1}\n"
    /// The answer breaks off.
    private static let torn = String(done.dropLast(3))

    /// Sends a change to a server that gives these answers, one per connection.
    private func send(
        answers: [String?], timeout: Int = 30
    ) throws -> (result: Result<StandClient.Answer, StandClientError>, requests: [String], path: String) {
        let path = "/tmp/client-\(UUID().uuidString)"
        let server = try RawServer(path: path)
        let requests = Guarded<[String]>([])
        let serving = DispatchQueue(label: "server")
        serving.async {
            let received = server.answer(answers)
            requests.withLock { $0 = received }
        }
        let result = Result { () throws(StandClientError) in
            try StandClient(path: path, timeout: timeout).send(
                .post, "/api/v1/pause", fields: [("Idempotency-Key", "k")])
        }
        serving.sync {}
        return (result, requests.withLock { $0 }, path)
    }

    @Test func `a path without a listener is unreachable`() {
        let path = "/tmp/client-\(UUID().uuidString)"
        #expect(throws: StandClientError.unreachable(path: path, reason: StandClient.noListener)) {
            try StandClient(path: path).send(.get, "/api/v1/status")
        }
    }

    @Test(arguments: ["", torn])
    func `repeats a change once, with its key, if the answer is lost`(first: String) throws {
        let (result, requests, _) = try send(answers: [first, Self.done])
        #expect(try result.get().json?["at"] == 1)
        #expect(requests.count == 2 && requests[0] == requests[1])
        #expect(
            requests[0].hasPrefix("POST /api/v1/pause HTTP/1.1\r\n") && requests[0].contains("Idempotency-Key: k\r\n"))
    }

    @Test func `gives up after two closed connections`() throws {
        let (result, requests, path) = try send(answers: ["", Self.torn])
        #expect(
            throws: StandClientError.unanswered(
                path: path, reason: "the stand closed the connection twice before it answered")
        ) {
            try result.get()
        }
        #expect(requests.count == 2)
    }

    @Test func `a timeout is reported and not retried`() throws {
        let (result, requests, path) = try send(answers: [nil], timeout: 1)
        #expect(throws: StandClientError.unanswered(path: path, reason: "the stand did not answer within 1 s")) {
            try result.get()
        }
        #expect(requests.count == 1)
    }

    @Test(arguments: [
        ("220 mail.example\r\n\r\n", "no HTTP answer"),
        ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{\"a\":1}", "no HTTP answer"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}", "no HTTP answer"),
        ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 9 << 20), "its answer is longer than 8 MB"),
    ])
    func `rejects a peer that does not speak HTTP, and an answer of no length or too great a length`(
        answer: String, reason: String
    ) throws {
        let (result, _, path) = try send(answers: [answer])
        #expect(throws: StandClientError.unreachable(path: path, reason: "not a juice stand: " + reason)) {
            try result.get()
        }
    }

    @Test func `an answer that never ends is given up in time`() throws {
        let path = "/tmp/client-\(UUID().uuidString)"
        let server = try RawServer(path: path)
        let isOver = Guarded(false)
        let serving = DispatchQueue(label: "server")
        serving.async {
            // A byte at a time, and each soon enough.
            server.answerByteByByte { _ in "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 8 << 20) }
            isOver.withLock { $0 = true }
        }
        #expect(throws: StandClientError.unanswered(path: path, reason: "the stand did not answer within 1 s")) {
            try StandClient(path: path, timeout: 1).send(.get, "/api/v1/status")
        }
        try eventually("the server to notice") { isOver.withLock { $0 } }
    }

    @Test func `figures beyond the borders make an answer unusable, and are named`() throws {
        let content = #"{"time": 1e308}"#
        let (result, _, _) = try send(answers: [
            "HTTP/1.1 200 OK\r\nContent-Length: \(content.utf8.count)\r\n\r\n" + content
        ])
        let answer = try result.get()
        #expect(answer.json == nil)
        #expect(
            answer.problem.map { "\($0)" }
                == "not a juice stand: in its answer, 'time' must be a number from -9007199254740992 to 9007199254740992, "
                + "found '1e308'")
    }
}

/// The pauses between attempts to follow a stand.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct FollowingPauseTests {
    private static let status =
        #"HTTP/1.1 200 OK\#r\#n\#r\#n{"opens": "2026-01-01", "seed": 1, "sequence": 0, "stand": "x"}"#

    /// The answering stand is asked four times a second and so tells the time: five seconds.
    @Test func `the pauses between attempts grow`() throws {
        let folder = try TemporaryFolder()
        let attempts = Guarded(0)
        let isOver = Guarded(false)
        let paths = ["stand", "silent"].map { folder.path + "/" + $0 }
        let servers = try paths.map { try RawServer(path: $0) }
        DispatchQueue(label: "stand").async {
            while !isOver.withLock({ $0 }) { _ = servers[0].answer([Self.status]) }
        }
        DispatchQueue(label: "silent").async {
            while !isOver.withLock({ $0 }) {
                _ = servers[1].answer([""])
                attempts.withLock { $0 += 1 }
            }
        }
        defer {
            isOver.withLock { $0 = true }
            for path in paths { _ = try? RawClient(path: path) }
        }
        let targets = paths.map { StandTarget.socket(path: $0) }
        var follower = StandsFollower(StandTargets(targets), .status(every: 250), stop: StopSignal())
        defer { follower.close() }
        var answers = 0
        while answers < 20 {
            _ = follower.advance(within: 100) { stand, news in
                if stand.target == targets[0], case .status = news { answers += 1 }
            }
        }
        // Without growing there would be more than twenty, and with it six.
        #expect((2...13).contains(attempts.withLock { $0 }), "\(attempts.withLock { $0 }) attempts")
    }

    @Test func `a stand that leaves the list loses its connection`() throws {
        let folder = try TemporaryFolder()
        let paths = ["one", "other"].map { folder.path + "/" + $0 }
        let servers = try paths.map { try RawServer(path: $0) }
        let hasLeft = DispatchSemaphore(value: 0)
        DispatchQueue(label: "one").async {
            // The second request is for the events, and is answered with silence.
            _ = servers[0].answer([Self.status, nil])
            hasLeft.signal()
        }
        DispatchQueue(label: "other").async { _ = servers[1].answer([Self.status, nil]) }
        func list(_ paths: [String]) throws -> String {
            try folder.write("[{\"targets\": [\(paths.map { "\"\($0)\"" }.joined(separator: ","))]}]", to: "list.json")
        }
        let targets = try StandTargets(named: [], file: list(paths), takesAll: false)
        var follower = StandsFollower(targets, .events { _ in 0 }, stop: StopSignal())
        try eventually("both to be followed") {
            _ = follower.advance(within: 20) { _, _ in }
            return follower.stands.allSatisfy { $0.name != nil }
        }
        for _ in 0..<5 { _ = follower.advance(within: 20) { _, _ in } }
        _ = try list([paths[1]])
        try eventually("the list to be read") {
            _ = follower.advance(within: 20) { _, _ in }
            return try follower.refresh() != nil
        }
        hasLeft.wait(for: "the end of the connection")
        follower.close()
    }

    /// What it sends is no ledger, and later it only shows that it is there.
    @Test func `a faulty peer counts as back only once it has sent an event`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/stand"
        let server = try RawServer(path: path)
        let events = "HTTP/1.1 200 OK\r\n\r\n"
        let line = #"data: {"seq":1,"at":0.000000000,"event":"paused"}"#
        let wrong = events + "id: 2\n\(line)\n\n"
        DispatchQueue(label: "peer").async {
            _ = server.answer([
                Self.status, wrong, Self.status, events + ": heartbeat\n\n", Self.status,
                events + "id: 1\n\(line)\n\n", nil,
            ])
        }
        var follower = StandsFollower(StandTarget.socket(path: path), after: 0, stop: StopSignal())
        defer { follower.close() }
        var news: [String] = []
        try eventually("the event") {
            _ = follower.advance(within: 100) { _, item in
                switch item {
                case .away: news.append("away")
                case .back: news.append("back")
                case .event: news.append("event")
                default: break
                }
            }
            return news.contains("event")
        }
        #expect(news == ["away", "back", "event"])
    }

    @Test func `the pauses between attempts begin anew once a stand has answered`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/stand"
        let server = try RawServer(path: path)
        DispatchQueue(label: "server").async {
            _ = server.answer(["", "", "", Self.status, "", Self.status])
        }
        // Two stands: a single one is tried often.
        let targets = [StandTarget.socket(path: path), .socket(path: folder.path + "/nobody")]
        var follower = StandsFollower(StandTargets(targets), .status(every: 50), stop: StopSignal())
        defer { follower.close() }
        var failures: [Int] = []
        try eventually("two answers", within: .seconds(600)) {
            _ = follower.advance(within: 100) { stand, news in
                guard stand.target == targets[0] else { return }
                switch news {
                case .status, .away: failures.append(stand.failures)
                default: break
                }
            }
            return failures.count { $0 == 0 } >= 2
        }
        // A stand that is away is said once each time, and its failures are counted from the beginning each time.
        #expect(failures == [1, 0, 1, 0])
    }
}
