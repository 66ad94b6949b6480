/// The place in the source where an observation began.
public struct ObservationPlace: Sendable, Hashable {
    /// Module and file, as `#fileID` gives them.
    public var fileID: String
    /// The line, counted from 1.
    public var line: Int

    init(_ fileID: StaticString, _ line: UInt32) {
        self.fileID = fileID.description
        self.line = Int(line)
    }
}

extension ObservationPlace: CustomStringConvertible {
    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
