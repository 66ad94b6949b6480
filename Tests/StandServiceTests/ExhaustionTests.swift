import StandService
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What happens when there is no descriptor left, in a process of its own.
struct ExhaustionTests {
    @Test func `out of descriptors a server tells clients so, does not spin, and recovers`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            // The clients' ends are made first, since they share the limit with the server's.
            var unconnected = (0..<40).map { _ in RawClient() }
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
                    precondition(answer.hasPrefix("HTTP/1.1 503 "), answer)
                    turnedAway += 1
                }
            }
            // Some of the numbers below the highest were free as well.
            precondition(served.count >= 8 && turnedAway > 0, "\(served.count) served, \(turnedAway) turned away")
            let exhaustions = server.server.counters.exhausted.current
            precondition(exhaustions <= 30, "\(exhaustions) times for 30 clients")
            served.removeAll()
            var recovered: [RawClient] = []
            while recovered.isEmpty {
                let client = unconnected.removeFirst()
                try client.connect(port: server.port)
                client.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n")
                if client.receive().hasPrefix("HTTP/1.1 200 ") { recovered.append(client) }
            }
        }
    }
}
