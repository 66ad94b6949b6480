/// Spans of time in readable units.
package enum SpanText {
    /// Two digits or three and a unit: `4.2 s`, `95 s`, `12 min`, `3.4 h`, `2.1 d`.
    package static func short(_ seconds: Double) -> String {
        switch seconds {
        case ..<9.95: Columns.fixed(seconds, decimals: seconds == seconds.rounded() ? 0 : 1) + " s"
        case ..<119.5: Columns.fixed(seconds, decimals: 0) + " s"
        case ..<7200: Columns.fixed(seconds / 60, decimals: 0) + " min"
        case ..<172_800: Columns.fixed(seconds / 3600, decimals: 1) + " h"
        default: Columns.fixed(seconds / 86_400, decimals: 1) + " d"
        }
    }

    /// One unit or two: `45 s`, `24 min`, `3 h 5 min`, `2 d 4 h`. Spans from 2^53 hours on are equal.
    package static func long(_ seconds: Double) -> String {
        func pair(_ whole: Int, _ big: String, _ rest: Int, _ small: String) -> String {
            "\(Columns.grouped(whole)) \(big)" + (rest == 0 ? "" : " \(rest) \(small)")
        }
        let whole = Int(nearest: seconds)
        if whole < 120 { return "\(whole) s" }
        let minutes = Int(nearest: seconds / 60)
        if minutes < 120 { return "\(minutes) min" }
        if minutes < 48 * 60 { return pair(minutes / 60, "h", minutes % 60, "min") }
        let hours = Int(nearest: seconds / 3600)
        return pair(hours / 24, "d", hours % 24, "h")
    }

    /// The unit that suits spans up to `longest` seconds, for an axis of a plot.
    package static func unit(for longest: Double) -> (name: String, seconds: Double) {
        switch longest {
        case ..<300: ("seconds", 1)
        case ..<10_800: ("minutes", 60)
        case ..<259_200: ("hours", 3600)
        default: ("days", 86_400)
        }
    }
}
