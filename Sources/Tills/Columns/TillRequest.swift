/// How a till is to be read.
package struct TillRequest: Sendable {
    package var file: String
    /// The columns that the user named. The others are found.
    package var columns = TillColumns()
    /// The format of all times, in the conversions of `strptime`; nil to find it.
    package var timeFormat: String?
    /// The shop's clock in seconds ahead of UTC, to which Unix times and times with an offset are turned; nil to keep
    /// them as they are written.
    package var timeZone: Int?
    /// The conditions that a line must meet to count.
    package var conditions: [TillCondition] = []
    /// Whether a stand replays the lines. Numbers may then be seconds since the opening, and messages name the keys of
    /// a configuration instead of options.
    package var isTrace = false

    package init(file: String) { self.file = file }
}

/// Why a line of an order cannot be used.
struct LineFault: Error {
    let why: String

    static let noSuchDate = LineFault(why: "there is no such date")

    init(why: String) { self.why = why }

    init(expected: String, found text: String) {
        let shown = text.prefix(40) + (text.count > 40 ? "…" : "")
        why = "expected \(expected), found \(text.isEmpty ? "nothing" : "\"\(shown)\"")"
    }
}
