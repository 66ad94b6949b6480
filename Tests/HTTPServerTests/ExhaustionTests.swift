import Platform
import TestSupport
import Testing

/// A server that runs out of descriptors, in a process of its own.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct ExhaustionTests {
    @Test func `a server out of descriptors answers 503, does not spin, and recovers`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            // The clients' ends are made first, since they share the limit with the server's.
            var unconnected = (0..<60).map { _ in RawClient() }
            let highest = Int(unconnected.map(\.descriptor).max()!)
            #if canImport(Glibc)
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            #else
                let resource = RLIMIT_NOFILE
            #endif
            var limit = rlimit()
            unsafe getrlimit(resource, &limit)
            limit.rlim_cur = rlim_t(highest + 1 + 8)
            unsafe setrlimit(resource, &limit)
            var served: [RawClient] = []
            var turnedAway = 0
            for _ in 0..<30 {
                let client = unconnected.removeFirst()
                try client.connect(port: server.port)
                client.send("GET /later HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n")
                let answer = client.receive()
                if answer.hasPrefix("HTTP/1.1 200 ") {
                    served.append(client)
                } else {
                    // An exit status says more than a failed precondition, whose text is lost here.
                    if !answer.hasPrefix("HTTP/1.1 503 ") { exit(2) }
                    turnedAway += 1
                }
            }
            // Some of the numbers below the highest were free as well.
            if served.count < 8 { exit(3) }
            if turnedAway == 0 { exit(4) }
            // A server that spins would have met with it thousands of times: twice for a client is the most.
            if server.server.counters.exhausted.current > 60 { exit(5) }
            served.removeAll()
            var recovered: [RawClient] = []
            while recovered.isEmpty {
                if unconnected.isEmpty { exit(6) }
                let client = unconnected.removeFirst()
                try client.connect(port: server.port)
                client.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n")
                if client.receive().hasPrefix("HTTP/1.1 200 ") { recovered.append(client) }
            }
        }
    }
}
