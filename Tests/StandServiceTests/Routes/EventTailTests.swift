import JuiceStand
import Platform
import StandState
import TestSupport
import Testing

/// The latest lines, as listeners read them.
@Suite(.timeLimit(.minutes(60)))
struct EventTailTests {
    private static func write(_ lines: [String], to tail: EventTail) {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        unsafe tail.write(bytes.span.bytes)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `readers get every kept line once and in order, or the first one that is kept`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mostBytes = Int.random(in: 64...4096, using: &random)
        let begin = UInt64.random(in: 0...1000, using: &random)
        let tail = EventTail(after: begin, mostBytes: mostBytes)
        var lines: [String] = []
        for _ in 0..<200 {
            let batch = (0..<Int.random(in: 0...8, using: &random)).map { offset in
                let filler = String(repeating: "x", count: Int.random(in: 0...60, using: &random))
                return "\(lines.count + offset) \(filler)"
            }
            lines += batch
            Self.write(batch, to: tail)
            // From anywhere, also from beyond the last.
            let place = begin + UInt64.random(in: 0...UInt64(lines.count + 2), using: &random)
            let limit = Int.random(in: 1...2000, using: &random)
            switch tail.read(after: place, limit: limit) {
            case .upToDate: #expect(place >= begin + UInt64(lines.count), "seed \(seed)")
            case .gone(let first):
                #expect(first > place + 1 && first <= begin + UInt64(lines.count) + 1, "seed \(seed)")
                let kept = lines[Int(first - begin - 1)...].reduce(0) { $0 + $1.utf8.count + 1 }
                #expect(kept <= mostBytes && kept + 70 >= mostBytes / 2, "seed \(seed): \(kept) of \(mostBytes) bytes")
            case .lines(let bytes, let last):
                let expected = lines[Int(place - begin)..<Int(last - begin)].map { $0 + "\n" }
                #expect(String(decoding: bytes, as: UTF8.self) == expected.joined(), "seed \(seed)")
                #expect(bytes.count <= limit || last == place + 1, "seed \(seed)")
            }
        }
    }

    @Test func `keeps a line longer than the limit until the next one`() {
        let tail = EventTail(after: 0, mostBytes: 64)
        let long = String(repeating: "y", count: 1000)
        Self.write([long], to: tail)
        guard case .lines(let bytes, last: 1) = tail.read(after: 0, limit: 10) else {
            Issue.record("the line is not there")
            return
        }
        #expect(bytes.count == 1001)
        Self.write(["short"], to: tail)
        guard case .gone(first: 2) = tail.read(after: 0, limit: 10) else {
            Issue.record("the line is still there")
            return
        }
    }
}
