import Dispatch
import Foundation
import Platform
import StandService
import TestSupport
import Testing

/// What a client makes of a stand that is not there, hangs up, or does not answer.
@Suite(.serialized, .onItsOwnThread)
struct StandClientTests {
    private static let done = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{\"at\":1}\n"
    /// The answer breaks off.
    private static let torn = String(done.dropLast(3))

    /// Sends a change to something that answers so, connection by connection.
    private func send(
        answers: [String?], patience: Int = 30
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
            try StandClient(path: path, patience: patience).send(
                .post, "/api/v1/pause", fields: [("Idempotency-Key", "k")])
        }
        serving.sync {}
        return (result, requests.withLock { $0 }, path)
    }

    @Test func `where nobody listens there is no stand`() {
        let path = "/tmp/client-\(UUID().uuidString)"
        #expect(throws: StandClient.Failure.unreachable(path: path, reason: "No such file or directory")) {
            try StandClient(path: path).send(.get, "/api/v1/status")
        }
    }

    @Test(arguments: ["", torn])
    func `a change whose answer is lost is sent once more, with its key`(first: String) throws {
        let (result, requests, _) = try send(answers: [first, Self.done])
        #expect(try result.get().json?["at"] == 1)
        #expect(requests.count == 2 && requests[0] == requests[1])
        #expect(
            requests[0].hasPrefix("POST /api/v1/pause HTTP/1.1\r\n") && requests[0].contains("Idempotency-Key: k\r\n"))
    }

    @Test func `what hangs up twice has not answered, and nothing more is sent`() throws {
        let (result, requests, path) = try send(answers: ["", Self.torn])
        #expect(
            throws: StandClient.Failure.unanswered(path: path, reason: "the stand hung up twice before it answered")
        ) {
            try result.get()
        }
        #expect(requests.count == 2)
    }

    @Test func `a stand that takes too long is there, and is not asked again`() throws {
        let (result, requests, path) = try send(answers: [nil], patience: 1)
        #expect(throws: StandClient.Failure.unanswered(path: path, reason: "the stand has not answered for 1 s")) {
            try result.get()
        }
        #expect(requests.count == 1)
    }

    @Test func `what speaks no HTTP is no stand`() throws {
        let (result, _, path) = try send(answers: ["220 mail.example\r\n\r\n"])
        #expect(throws: StandClient.Failure.unreachable(path: path, reason: "what answers there is no stand")) {
            try result.get()
        }
    }
}
