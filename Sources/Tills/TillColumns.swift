/// The columns of a till that were taken. Nil stands for a column that the till does not have.
package struct TillColumns: Equatable, Sendable {
    /// One column, or a date and a time of day.
    package var time: [String] = []
    package var order: String?
    package var item: String?
    package var quantity: String?
    package var started: String?
    package var ended: String?
    /// Columns that say whether a line is void, refunded or cancelled.
    package var void: [String] = []

    package init() {}

    /// The columns with their roles, in the order in which they are shown.
    package var named: [(role: String, column: String)] {
        let all = [
            ("time", time.isEmpty ? nil : time.joined(separator: "+")), ("order", order), ("item", item),
            ("quantity", quantity), ("started", started), ("ended", ended),
            ("void", void.isEmpty ? nil : void.joined(separator: "+")),
        ]
        return all.compactMap { role, column in column.map { (role, $0) } }
    }
}
