import JuiceStand

/// Makes changes in order, and answers a repeated idempotency key as it did the first time.
package struct IdempotencyCache: Sendable {
    /// The most keys kept. The oldest are dropped for a new one.
    package static let mostKeys = 10_000
    /// The most bytes of all keys and answers kept. The latest is kept even if it is larger.
    package static let mostBytes = 4 << 20
    /// The most bytes of a key.
    package static let longestKey = 255

    package init() {}

    /// Changes made since the opening, also those that were refused.
    package private(set) var made: UInt64 = 0
    /// The answers by key, in their saved form. An answer is decoded only if its key comes again.
    ///
    /// Keys are compared by their bytes: texts that are equal by Unicode's rules are different keys.
    private var answers: [[UInt8]: String] = [:]
    /// The keys in the order in which they came.
    private var keys: [[UInt8]] = []
    /// Bytes of all keys and answers.
    private var size = 0

    struct Answered: Codable, Sendable {
        var change: StandChange
        var answer: ChangeAnswer?
        var error: ControlError?

        var text: String { String(decoding: StateCoding.encode(self), as: UTF8.self) }
    }

    /// The answer to an earlier change with this key; nil for a new key.
    package func answer(to change: StandChange, key: String?) -> Result<ChangeAnswer, ControlError>? {
        guard let key, let text = answers[Array(key.utf8)] else { return nil }
        let answered: Answered
        do { answered = try StateCoding.decode(Answered.self, from: Array(text.utf8)[...]) } catch {
            preconditionFailure("the answer \(text) can't be read: \(error)")
        }
        guard answered.change == change || change.isReload && answered.change.isReload else {
            return .failure(.keyReused)
        }
        return answered.answer.map { .success($0) } ?? .failure(answered.error!)
    }

    /// Makes `change`, or returns the answer kept for its key.
    package mutating func carryOut(
        _ change: StandChange, key: String?, in stand: inout Stand, at time: SimulationTime, _ out: FactPublisher
    ) -> Result<ChangeAnswer, ControlError> {
        made += 1
        if let known = answer(to: change, key: key) { return known }
        let result = change.apply(to: &stand, at: time, out)
        if let key { remember(Array(key.utf8), change, result) }
        return result
    }

    private mutating func remember(
        _ key: [UInt8], _ change: StandChange, _ result: Result<ChangeAnswer, ControlError>
    ) {
        var answered = Answered(change: change.isReload ? .reload(configuration: "") : change)
        switch result {
        case .success(let answer): answered.answer = answer
        case .failure(let error): answered.error = error
        }
        answers[key] = answered.text
        keys.append(key)
        size += size(of: key)
        var forgotten = 0
        while keys.count - forgotten > Self.mostKeys || (size > Self.mostBytes && keys.count - forgotten > 1) {
            size -= size(of: keys[forgotten])
            answers[keys[forgotten]] = nil
            forgotten += 1
        }
        keys.removeFirst(forgotten)
    }

    /// Bytes of a key and its answer.
    private func size(of key: [UInt8]) -> Int { key.count + (answers[key]?.utf8.count ?? 0) }
}

extension StandChange {
    fileprivate var isReload: Bool { if case .reload = self { true } else { false } }
}

// MARK: - In a snapshot

extension IdempotencyCache: Codable {
    enum CodingKeys: CodingKey {
        case made
        case keys
        case texts
        // Earlier versions wrote these in place of `texts`.
        case answers
        case oldest
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let made = try container.decode(UInt64.self, forKey: .made)
        let keys = try container.decode([String].self, forKey: .keys)
        if container.contains(.texts) {
            try self.init(made: made, keys: keys, texts: container.decode([String].self, forKey: .texts))
        } else {
            try self.init(made: made, keys: keys, earlier: container)
        }
    }

    /// - Throws: `DecodingError` if a key has no answer, or more than one.
    init(made: UInt64, keys: [String], texts: [String]) throws {
        self.made = made
        self.keys = keys.map { Array($0.utf8) }
        guard texts.count == keys.count, Set(self.keys).count == keys.count else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [CodingKeys.keys], debugDescription: "each key must have an answer"))
        }
        answers = Dictionary(uniqueKeysWithValues: zip(self.keys, texts))
        size = self.keys.reduce(0) { $0 + size(of: $1) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(made, forKey: .made)
        try container.encode(keys.map { String(decoding: $0, as: UTF8.self) }, forKey: .keys)
        try container.encode(keys.map { answers[$0]! }, forKey: .texts)
    }
}
