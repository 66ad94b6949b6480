import Foundation
import Platform

/// Whether every other thread of this process sleeps and only the calling one could wake it.
///
/// Unlike a timeout, it does not depend on the load of the machine: a thread that waits for a processor does not sleep.
///
/// - Returns: false if the system does not tell.
func isIdle() -> Bool {
    // A thread that ran between the two looks has made another context switch.
    guard let before = sleepers() else { return false }
    return sleepers() == before
}

/// Waits until every other thread of this process sleeps, or for `longest`. One thread may wait at a time.
///
/// - Returns: whether every other thread sleeps.
func isIdle(after longest: Duration) -> Bool {
    let end = ContinuousClock.now + longest
    while !isIdle() {
        guard ContinuousClock.now < end else { return false }
        usleep(200)
    }
    return true
}

/// The line of a thread's status that begins with `name`.
private func line(_ name: String, of thread: String) throws -> String? {
    let text = String(decoding: try readFile("\(thread)/status"), as: UTF8.self)
    return text.split(separator: "\n").first { $0.hasPrefix(name) }.map(String.init)
}

/// The number of voluntary context switches of each other thread; nil if one is awake.
private func sleepers() -> [String: String]? {
    let tasks = "/proc/self/task"
    var found: [String: String] = [:]
    do {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        for task in try FileManager.default.contentsOfDirectory(atPath: tasks) where !own.hasSuffix("/\(task)") {
            guard try line("State:", of: "\(tasks)/\(task)") == "State:\tS (sleeping)" else { return nil }
            found[task] = try line("voluntary_ctxt_switches:", of: "\(tasks)/\(task)")
        }
    } catch {
        // A thread that ended meanwhile was awake.
        return nil
    }
    return found
}
