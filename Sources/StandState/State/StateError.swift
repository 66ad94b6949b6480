import JuiceStand
import Platform
import TextFormats

/// Why a state can't be used.
package enum StateError: Error, Equatable, Sendable {
    /// Another stand uses it: "process 12", or "another process" if the number is unknown.
    case inUse(folder: String, by: String)
    /// The stand was closed for good, at that time of day.
    case closed(folder: String, at: String)
    /// A file does not hold what was written to it.
    case damaged(place: String, reason: String)
    case otherSchema(file: String, found: String, expected: String)
    /// The ledger does not belong to this state.
    case foreignLedger(place: String, reason: String)
    /// The ledger lost lines that the state can't write again: those from `last` + 1 to `saved`.
    case ledgerTooShort(path: String, last: UInt64, saved: UInt64)
    /// The configuration differs in keys that can't change, each with the reason.
    case otherStand(folder: String, [String])
    /// The horizon lies before the time of day that the state has reached.
    case horizonPassed(folder: String, at: String)
    case system(FileError)
}

extension StateError {
    /// What `body` returns. An error of a file becomes ``system(_:)``.
    ///
    /// - Precondition: `body` throws no other error than ``StateError`` and `FileError`.
    static func unified<Result>(_ body: () throws -> Result) throws(StateError) -> Result {
        do { return try body() } catch let error as StateError {
            throw error
        } catch let error as FileError {
            throw .system(error)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension StateError: CustomStringConvertible {
    package var description: String { lines.joined(separator: "\n") }

    /// One line for each problem.
    package var lines: [String] {
        if case .otherStand(let folder, let keys) = self {
            return keys.map { "\($0); \(folder) was opened with another value" }
        }
        return [message]
    }

    private var message: String {
        switch self {
        case .inUse(let folder, let holder):
            "\(folder): is in use by \(holder)"
        case .closed(let folder, let time):
            "\(folder): the stand was closed for good at \(time); use a new --state directory"
        case .damaged(let place, let reason):
            "\(place): \(reason); `juicestand repair DIR` repairs what it can and keeps the original"
        case .otherSchema(let file, let found, let expected):
            "\(file): must be of the schema \(expected), found \(found)"
        case .foreignLedger(let place, let reason):
            "\(place): \(reason); a ledger is continued only with the state that wrote it, and that as it was then or "
                + "later: use a copy of the state that was made after that of the ledger, or move the ledger away"
        case .ledgerTooShort(let path, let last, let saved):
            "\(path): ends with line \(last), but the state continues after line \(saved) and cannot write the lines "
                + "between again; move the file away to continue in a new one"
        case .otherStand: ""
        case .horizonPassed(let folder, let time):
            "--for has passed: it is \(time) at the stand in \(folder); --for counts from the opening"
        case .system(let error):
            "\(error.path): \(error.reason)"
        }
    }
}
