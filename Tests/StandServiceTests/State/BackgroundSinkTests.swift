import Dispatch
import JuiceStand
import Platform
import TestSupport
import Testing

/// The log in the background, with readers of several kinds at the other end of a pipe.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct BackgroundSinkTests {
    /// A pipe whose other end is read on a queue of its own.
    private final class ReadPipe: Sendable {
        let writing: Int32
        private let reading: Int32
        private let received = Guarded<[UInt8]>([])
        private let hasEnded = DispatchSemaphore(value: 0)

        init() {
            var ends: [Int32] = [-1, -1]
            unsafe pipe(&ends)
            reading = ends[0]
            writing = ends[1]
        }

        /// - Parameters:
        ///   - wait: Seconds before the first piece.
        ///   - pause: Microseconds after each piece.
        func begin(after wait: UInt32 = 0, pausing pause: UInt32 = 0) {
            DispatchQueue(label: "reader").async { [self] in
                sleep(wait)
                var bytes = [UInt8](repeating: 0, count: 4096)
                while case let count = unsafe read(reading, &bytes, bytes.count), count > 0 {
                    received.withLock { $0 += bytes[..<count] }
                    usleep(pause)
                }
                hasEnded.signal()
            }
        }

        /// All that was read, once the writing end is closed.
        func end() -> [UInt8] {
            close(writing)
            hasEnded.wait(for: "the reader to end")
            close(reading)
            return received.withLock { $0 }
        }
    }

    #if os(Linux)
        @Test func `a terminal that nobody reads stops neither the writer nor the end`() async throws {
            // As `posix_openpt` opens it; Swift does not import that function from Glibc.
            let unlock = UInt(0x4004_5431)
            let getNumber = UInt(0x8004_5430)
            let user = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var isLocked = Int32(0)
            var number = UInt32(0)
            try #require(unsafe ioctl(user, unlock, &isLocked) == 0 && ioctl(user, getNumber, &number) == 0)
            let program = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            try #require(program >= 0)
            let lines = FileLineSink(descriptor: program, name: "terminal")
            let sink = BackgroundSink(lines) { _ in }
            let hasEnded = DispatchSemaphore(value: 0)
            DispatchQueue(label: "writer").async {
                for _ in 0..<1000 { sink.write(String(repeating: "x", count: 99) + "\n") }
                sink.finish()
                hasEnded.signal()
            }
            let isOver = hasEnded.wait(timeout: .now() + 60) == .success
            // Lets a writer go on that is still blocked.
            close(user)
            close(program)
            #expect(isOver)
            if !isOver { hasEnded.wait(for: "the writer, after its terminal is gone") }
            #expect(lines.linesLost > 0 && lines.failure?.reason == "Connection timed out")
        }
    #endif

    @Test func `lines that were dropped are reported once the reader takes lines again`() {
        let pipe = ReadPipe()
        let reported = Guarded<[Int]>([])
        let sink = BackgroundSink(FileLineSink(descriptor: pipe.writing, name: "pipe")) { count in
            reported.withLock { $0.append(count) }
        }
        // Lines count, and not writes.
        let lines = String(repeating: String(repeating: "x", count: 499) + "\n", count: 2)
        while sink.linesDropped < 100 { sink.write(lines) }
        pipe.begin()
        sink.finish()
        // The report itself is written by whoever gets it.
        #expect(reported.withLock { $0 } == [sink.linesDropped])
        // Once each.
        sink.write(lines)
        sink.finish()
        #expect(reported.withLock { $0 } == [sink.linesDropped])
        _ = pipe.end()
    }

    @Test func `a reader that pauses gets everything if the end waits longer`() {
        let pipe = ReadPipe()
        let sink = FileLineSink(descriptor: pipe.writing, name: "pipe")
        sink.end(after: 600_000)
        // Longer than the usual wait at the end.
        pipe.begin(after: 1)
        sink.write(String(repeating: "x", count: 999_999) + "\n")
        #expect(sink.failure == nil)
        #expect(pipe.end().count == 1_000_000)
    }

    @Test func `a slow reader gets every line in order`() {
        let pipe = ReadPipe()
        let sink = BackgroundSink(FileLineSink(descriptor: pipe.writing, name: "pipe")) { _ in }
        pipe.begin(pausing: 100)
        let lines = (0..<20_000).map { "\($0) xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n" }
        for line in lines { sink.write(line) }
        sink.finish()
        let isTheSame = pipe.end() == Array(lines.joined().utf8)
        #expect(isTheSame && sink.linesDropped == 0)
    }
}
