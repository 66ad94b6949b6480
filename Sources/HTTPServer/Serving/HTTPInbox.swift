import Platform
import Synchronization

/// Messages of other threads to the server's thread, and the pipe that wakes it.
final class HTTPInbox: Sendable {
    enum Message: Sendable {
        case reply(connection: UInt64, HTTPResponse)
        /// The stream of that connection has new content.
        case feed(connection: UInt64)
        /// Stop within that many nanoseconds.
        case stop(within: UInt64)
    }

    private struct State {
        var messages: [Message] = []
        var isWoken = false
    }

    private let state = Guarded(State())
    private let pumpIsWanted = Atomic(false)
    /// Readable when there is a message.
    let readEnd: Int32
    private let writeEnd: Int32

    /// - Throws: ``FileError`` if the system has no descriptors left.
    init() throws(FileError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw FileError(lastErrorAt: "pipe") }
        readEnd = ends[0]
        writeEnd = ends[1]
        for end in ends { Socket(descriptor: end).becomeNonBlocking() }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func post(_ message: Message) {
        let wasWoken = state.withLock { state in
            state.messages.append(message)
            defer { state.isWoken = true }
            return state.isWoken
        }
        if !wasWoken { wake() }
    }

    /// Requests a feed of all streams. Cheap while an earlier request is pending.
    func wantPump() { if !pumpIsWanted.exchange(true, ordering: .acquiringAndReleasing) { wake() } }

    var wantsPump: Bool { pumpIsWanted.load(ordering: .acquiring) }

    /// Called before streams are fed, so that content that arrives meanwhile requests another round.
    func grantPump() { pumpIsWanted.store(false, ordering: .sequentiallyConsistent) }

    /// The messages since the last call.
    func take() -> [Message] {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        while unsafe read(readEnd, &bytes, bytes.count) == bytes.count {}
        return state.withLock { state in
            state.isWoken = false
            defer { state.messages = [] }
            return state.messages
        }
    }

    private func wake() {
        var byte: UInt8 = 0
        // A full pipe wakes just as well.
        _ = unsafe write(writeEnd, &byte, 1)
    }
}
