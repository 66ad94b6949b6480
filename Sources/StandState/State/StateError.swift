import JuiceStand
import Platform
import TextFormats

/// Why a state can't be used.
package enum StateError: Error, Equatable, Sendable {
    /// Another stand has it; its process, where it says.
    case inUse(folder: String, process: String?)
    /// The stand was closed for good.
    case closed(folder: String, at: SimulationTime)
    /// Something inside is not what was written.
    case damaged(place: String, reason: String)
    case otherSchema(file: String, found: String, expected: String)
    /// The ledger is not that of this state.
    case foreignLedger(place: String, reason: String)
    /// The configuration differs in what can't change, each key with the reason.
    case otherStand(folder: String, [String])
    case system(FileError)
}

extension StateError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let folder, let process):
            "\(folder): is in use by " + (process.map { "process \($0)" } ?? "another process")
        case .closed(let folder, let time):
            "\(folder): this stand closed for good at \(Columns.readable(time.seconds)) s of stand time; begin another folder"
        case .damaged(let place, let reason):
            "\(place): \(reason); `juicestand repair` mends what can be mended and keeps the original"
        case .otherSchema(let file, let found, let expected):
            "\(file): must be of the schema \(expected), found \(found)"
        case .foreignLedger(let place, let reason):
            "\(place): \(reason); a ledger is continued only with the state that wrote it"
        case .otherStand(let folder, let keys):
            keys.map { "\($0); it is the state of a stand that differs in this (\(folder))" }.joined(separator: "\n")
        case .system(let error):
            "\(error.path): \(error.reason)"
        }
    }
}
