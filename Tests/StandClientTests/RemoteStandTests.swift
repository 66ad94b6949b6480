import Foundation
import Platform
import StandClient
import TestSupport
import Testing

/// The stand of another process, as the source of a live display.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct RemoteStandTests {
    @Test func `lines wait for the menu, which has their names in the user's language`() async throws {
        let path = "/tmp/remote-\(UUID().uuidString)"
        let server = try RawServer(path: path)
        let stand = RemoteStand(.socket(path: path), after: 0)
        // It hears of an event, and the connection breaks.
        for _ in 0..<2 { server.answer(Self.answer) }
        var news: [StandNews] = []
        try await eventually("the break") {
            news += stand.news()
            return news.contains { if case .away = $0 { true } else { false } }
        }
        #expect(!news.contains { $0.isLine })

        let isOver = Guarded(false)
        async let serving: Void = onItsOwnThread { while !isOver.withLock({ $0 }) { server.answer(Self.answer) } }
        try await eventually("the line") {
            news += stand.news()
            return news.contains { $0.isLine }
        }
        isOver.withLock { $0 = true }
        let menu = try #require(news.firstIndex { if case .shelves = $0 { true } else { false } })
        #expect(try #require(news.firstIndex { $0.isLine }) > menu)
        // The server sees it with the next connection. As long as the object lives, it asks for events again and again.
        await serving
        #expect(!stand.hasClosed)
    }

    private static func answer(_ request: String) -> String {
        let content =
            switch request.split(separator: " ")[1] {
            case "/api/v1/events":
                #"""
                id: 1
                data: {"seq":1,"at":0.0,"event":"lowStock","fruit":"kiwi","level":1,"threshold":2}


                """#
            case "/api/v1/status": #"{"opens": "2026-01-01T08:00:00Z", "seed": 1, "sequence": 1}"#
            case "/api/v1/stock": #"{"stock": [{"fruit": "kiwi", "level": 1}]}"#
            default: #"{"juices": []}"#
            }
        return "HTTP/1.1 200 OK\r\n\r\n" + content
    }
}

extension StandNews {
    fileprivate var isLine: Bool { if case .event = self { true } else { false } }
}
