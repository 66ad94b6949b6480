/// Spans of time in readable units.
package enum SpanText {
    /// A stand time: `1d 02:03:04`.
    package static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds)
        func two(_ number: Int) -> String { Columns.zeroPadded(number, 2) }
        let days = whole >= 86_400 ? "\(whole / 86_400)d " : ""
        return "\(days)\(two(whole / 3600 % 24)):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }

    /// Two digits or three and a unit: `4.2 s`, `95 s`, `12 min`, `3.4 h`, `2.1 d`.
    package static func short(_ seconds: Double) -> String {
        switch seconds {
        case ..<9.95: seconds == seconds.rounded() ? "\(Int(seconds)) s" : Columns.fixed(seconds, decimals: 1) + " s"
        case ..<119.5: Columns.fixed(seconds, decimals: 0) + " s"
        case ..<7200: Columns.fixed(seconds / 60, decimals: 0) + " min"
        case ..<172_800: Columns.fixed(seconds / 3600, decimals: 1) + " h"
        default: Columns.fixed(seconds / 86_400, decimals: 1) + " d"
        }
    }
}
