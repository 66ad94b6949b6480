/// The latest value of a notification that keeps it; its channel's lock guards it.
final class LatestValue<N: TypedNotification> {
    private var value: N?

    /// The value that `latest` keeps, where it keeps an `N`.
    static func read(_ latest: AnyObject?) -> N? {
        (latest as? LatestValue<N>)?.value
    }

    /// Puts `value` in the place of what `latest` keeps, which is given back.
    static func exchange(_ latest: AnyObject, _ value: N) -> N? {
        guard let latest = latest as? LatestValue<N> else { return nil }
        let before = latest.value
        latest.value = value
        return before
    }
}
