import Platform
import TextFormats

/// The program's exit status: 0, 1, 130 and codes of `sysexits.h`.
enum ExitStatus: Int32 {
    case done = 0
    /// An expectation or an audit failed.
    case failed = 1
    case usage = 64
    case badInput = 65
    case noInput = 66
    /// No stand can be reached.
    case unavailable = 69
    case cannotCreate = 73
    case inputOutput = 74
    /// The state directory is in use, or its stand has closed.
    case stateInUse = 75
    case badConfiguration = 78
    /// `simulate` or `compare` was interrupted; its output is marked as partial.
    case interrupted = 130
}

/// Why a command failed: lines for standard error and the exit status.
struct CommandFailure: Error {
    var status: ExitStatus
    /// One line for each problem, without the program's name.
    var problems: [TextProblem]

    init(_ status: ExitStatus, _ message: String) { self.init(status, messages: [message]) }

    init(_ status: ExitStatus, messages: [String]) {
        self.init(status, messages.map { TextProblem(place: Place(source: ""), message: $0) })
    }

    init(_ status: ExitStatus, _ error: FileError) { self.init(status, "\(error.path): \(error.reason)") }

    init(_ status: ExitStatus, _ problems: [TextProblem]) {
        self.status = status
        self.problems = problems
    }
}

extension String {
    static func linesLost(_ count: Int) -> String {
        count == 1 ? "1 line is lost" : "\(Columns.grouped(count)) lines are lost"
    }
}
