import Dispatch
import Foundation
import Platform
import StandService
import TestSupport
import Testing

/// A client of a stand that does not run, closes the connection, or does not answer.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StandClientTests {
    private static let done = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{\"at\":1}\n"
    /// The answer breaks off.
    private static let torn = String(done.dropLast(3))

    /// Sends a change to a server that gives these answers, one per connection.
    private func send(
        answers: [String?], timeout: Int = 30
    ) throws -> (result: Result<StandClient.Answer, StandClient.Failure>, requests: [String], path: String) {
        let path = "/tmp/client-\(UUID().uuidString)"
        let server = try RawServer(path: path)
        let requests = Guarded<[String]>([])
        let serving = DispatchQueue(label: "server")
        serving.async {
            let received = server.answer(answers)
            requests.withLock { $0 = received }
        }
        let result = Result { () throws(StandClient.Failure) in
            try StandClient(path: path, timeout: timeout).send(
                .post, "/api/v1/pause", fields: [("Idempotency-Key", "k")])
        }
        serving.sync {}
        return (result, requests.withLock { $0 }, path)
    }

    @Test func `a path without a listener is unreachable`() {
        let path = "/tmp/client-\(UUID().uuidString)"
        #expect(throws: StandClient.Failure.unreachable(path: path, reason: StandClient.noListener)) {
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
            throws: StandClient.Failure.unanswered(
                path: path, reason: "the stand closed the connection twice before it answered")
        ) {
            try result.get()
        }
        #expect(requests.count == 2)
    }

    @Test func `a timeout is reported and not retried`() throws {
        let (result, requests, path) = try send(answers: [nil], timeout: 1)
        #expect(throws: StandClient.Failure.unanswered(path: path, reason: "the stand did not answer within 1 s")) {
            try result.get()
        }
        #expect(requests.count == 1)
    }

    @Test func `rejects a peer that does not speak HTTP`() throws {
        let (result, _, path) = try send(answers: ["220 mail.example\r\n\r\n"])
        #expect(throws: StandClient.Failure.unreachable(path: path, reason: "not a juice stand: no HTTP answer")) {
            try result.get()
        }
    }
}
