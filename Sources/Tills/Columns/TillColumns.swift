/// The columns of a till by their roles.
package struct TillColumns: Equatable, Sendable {
    /// A purpose of columns, in the order in which they are shown. `time` may be a date and a time of day, in two
    /// columns; `void` are all columns that say whether a line is void, refunded or cancelled.
    package enum Role: Int, CaseIterable, Sendable {
        case time, order, item, quantity, started, ended, void
    }

    private var columns: [Role: [String]] = [:]

    package init() {}

    /// The columns of a role; none if the till has none.
    package subscript(role: Role) -> [String] {
        get { columns[role] ?? [] }
        set { columns[role] = newValue.isEmpty ? nil : newValue }
    }

    /// All columns, in the order of their roles.
    var all: [String] { Role.allCases.flatMap { self[$0] } }

    /// The roles that have columns, each with the names joined by `+`.
    package var named: [(role: String, column: String)] {
        Role.allCases.filter { !self[$0].isEmpty }.map { ("\($0)", self[$0].joined(separator: "+")) }
    }
}
