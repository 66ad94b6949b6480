import Dispatch
import JuiceStand
import Platform
import TestSupport
import Testing

@testable import StandService

/// The log in the background, with readers of several kinds at the other end of a pipe.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct BackgroundSinkTests {
    private static func makePipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        unsafe pipe(&ends)
        return (ends[0], ends[1])
    }

    @Test func `a reader that does not read stops neither the writer nor the end`() {
        let ends = Self.makePipe()
        defer {
            close(ends.reading)
            close(ends.writing)
        }
        let sink = BackgroundSink(FileLineSink(descriptor: ends.writing, name: "pipe")) { _ in }
        let line = String(repeating: "x", count: 999) + "\n"
        let start = DispatchTime.now()
        for _ in 0..<20_000 { sink.write(line) }
        sink.finish()
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
        #expect(sink.linesDropped > 1000)
        #expect(seconds < 60, "\(seconds) s for 20 MB that nobody reads")
    }

    @Test func `a slow reader gets every line in order`() {
        let ends = Self.makePipe()
        let sink = BackgroundSink(FileLineSink(descriptor: ends.writing, name: "pipe")) { _ in }
        let received = Guarded<[UInt8]>([])
        let hasEnded = DispatchSemaphore(value: 0)
        DispatchQueue(label: "reader").async {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(ends.reading, &bytes, bytes.count)
                if count <= 0 { break }
                received.withLock { $0 += bytes[..<count] }
                usleep(100)
            }
            hasEnded.signal()
        }
        let lines = (0..<20_000).map { "\($0) xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n" }
        for line in lines { sink.write(line) }
        sink.finish()
        close(ends.writing)
        hasEnded.wait(for: "the reader to end")
        close(ends.reading)
        let isTheSame = received.withLock { $0 == Array(lines.joined().utf8) }
        #expect(isTheSame && sink.linesDropped == 0)
    }
}
