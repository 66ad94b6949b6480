import JuiceStand
import Platform

/// A stand whose program is down, as its state tells of it. Reading changes nothing.
package struct DormantStand {
    package let stand: Stand
    /// The stand time at which it would resume.
    package let time: SimulationTime

    /// - Throws: ``StateError``, also if a program runs the stand, or if it has closed.
    package init(_ path: String) throws(StateError) {
        // A folder that is missing must not be made.
        let isEmpty = try StateError.unified { try StateFiles(path).isEmpty }
        guard !isEmpty else { throw .system(FileError(path: path, reason: "holds no state")) }
        let folder = try StateFolder(path)
        defer { folder.close() }
        guard let found = try FoundState.read(path) else {
            throw .system(FileError(path: path, reason: "holds no state"))
        }
        var replay = try Replay(found, folder: path)
        let out = FactPublisher(WiringChoice.closure.makeWiring())
        replay.makeChanges(out)
        var stand = replay.stand
        guard !stand.isClosed else { throw .closed(folder: path, at: stand.clock.present) }
        // Events due by then happened before the program went down, or happen at once when it starts.
        if !stand.isPaused { stand.advance(to: replay.latest, out) }
        time = max(stand.now, min(replay.latest, stand.nextTime))
        self.stand = stand
    }
}
