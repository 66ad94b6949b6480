import JuiceStand

/// How far each stand of a stream of many has come, as the id of an event.
///
/// Nobody else reads it. It has the place of every stand by its target, not by its place in a list that may change.
struct ChainPlace {
    /// The id of a stream that begins with the first events.
    static let start = "0"
    /// The id of a stream that begins now.
    private static let present = "n"

    /// Whether a stand that the id does not have is followed from its first event.
    let isFromStart: Bool
    private var places: [Substring: UInt64] = [:]

    /// nil if it is not such an id.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts[0] == Self.start || parts[0] == Self.present else { return nil }
        isFromStart = parts[0] == Self.start
        for part in parts.dropFirst() {
            let pair = part.split(separator: "-")
            guard pair.count == 2, let place = UInt64(pair[1], radix: 36) else { return nil }
            places[pair[0]] = place
        }
    }

    /// nil is from now on.
    subscript(target: StandTarget) -> UInt64? { places[Self.key(target)[...]] ?? (isFromStart ? 0 : nil) }

    private static func key(_ target: StandTarget) -> String {
        String(String(Fingerprint("\(target)").value, radix: 36).suffix(8))
    }

    /// Writes ids.
    struct Writer {
        private let start: String
        private var entries: [StandTarget: (key: String, place: UInt64)] = [:]
        /// Whether a stand is new.
        private(set) var hasNews = true

        init(isFromStart: Bool) { start = isFromStart ? ChainPlace.start : ChainPlace.present }

        mutating func note(_ stand: FollowedStand) {
            guard let place = stand.place else { return }
            if entries[stand.target]?.place == nil { hasNews = true }
            entries[stand.target, default: (ChainPlace.key(stand.target), place)].place = place
        }

        mutating func id() -> String {
            hasNews = false
            return entries.values.reduce(into: start) { text, entry in
                text += ".\(entry.key)-\(String(entry.place, radix: 36))"
            }
        }
    }
}
