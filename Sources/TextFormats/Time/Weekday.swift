/// Weekdays, counted from Monday, 0.
package enum Weekday {
    package static let long = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    /// `mon` to `sun`.
    package static let short = long.map { String($0.prefix(3)).lowercased() }

    /// The weekday of a day, given as days since 1970, which began on a Thursday.
    package static func number(of day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }
}
