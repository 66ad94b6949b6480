/// Weekdays, counted from Monday, 0.
enum Weekday {
    static let short = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    static let long = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// The weekday of a day, given as days since 1970, which began on a Thursday.
    static func number(of day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }
}
