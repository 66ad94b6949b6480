/// A size in bytes as written on a command line: `4096`, `64KB`, `256MB`, `1GB`. A kilobyte is 1024 bytes.
struct ByteCount {
    let bytes: Int

    private static let units = [("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30), ("B", 1), ("", 1)]

    /// nil unless `text` is a size above 0.
    init?(_ text: String) {
        guard let (unit, size) = Self.units.first(where: { text.hasSuffix($0.0) }),
            let number = Int(text.dropLast(unit.count)), number > 0, number <= Int.max / size
        else { return nil }
        bytes = number * size
    }
}
