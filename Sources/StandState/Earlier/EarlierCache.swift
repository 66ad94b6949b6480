extension IdempotencyCache {
    /// Reads the answers as the schemas before 5 have them: as values, and the keys as a ring that begins at `oldest`.
    init(made: UInt64, keys: [String], earlier container: KeyedDecodingContainer<CodingKeys>) throws {
        let texts = try container.decode([Answered].self, forKey: .answers).map(\.text)
        let oldest = container.contains(.oldest) ? try container.decode(Int.self, forKey: .oldest) : 0
        guard texts.count == keys.count, (0...keys.count).contains(oldest) else { throw StateDecodingError() }
        try self.init(
            made: made, keys: Array(keys[oldest...] + keys[..<oldest]),
            texts: Array(texts[oldest...] + texts[..<oldest]))
    }
}
