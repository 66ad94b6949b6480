import TextFormats

// Both directions, because a running stand sends what a command shows.

extension ForecastResult {
    package func json() -> JSONValue {
        [
            "schema": .string(Self.schema), "stand": .string(stand), "opens": .string(opens), "at": .number(at),
            "seq": .whole(seq),
            "horizon": .number(horizon), "replications": .whole(replications), "seed": .whole(seed),
            "runs": .array(runs.map(\.json)),
        ]
    }

    /// Reads the JSON document. Returns nil for any other.
    package init?(json: JSONValue) {
        guard json["schema"]?.text == Self.schema, let stand = json["stand"]?.text,
            let opens = json["opens"]?.text, let at = json["at"]?.seconds,
            let seq = json["seq"]?.whole, let horizon = json["horizon"]?.seconds,
            let replications = json["replications"]?.whole, let seed = json["seed"]?.whole, seq >= 0, seed >= 0
        else { return nil }
        let elements = json["runs"]?.elements ?? []
        let runs = elements.compactMap(Run.init(json:))
        guard runs.count == elements.count, !runs.isEmpty else { return nil }
        self.init(
            stand: stand, opens: opens, at: at, seq: UInt64(seq), horizon: horizon, replications: replications,
            seed: UInt64(seed),
            runs: runs)
    }
}

extension ForecastResult.Run {
    fileprivate var json: JSONValue {
        let differences = differences.map { JSONValue.Member(key: $0.name, value: $0.json) }
        return [
            "change": change.map { .string($0) }, "set": .object(set),
            "fruits": .object(fruits.map { .init(key: $0.name, value: $0.json) }), "queue": .array(queue.map(\.json)),
            "metrics": .object(metrics.map { .init(key: $0.name, value: $0.json) }),
            "differences": differences.isEmpty ? nil : .object(differences),
        ]
    }

    fileprivate init?(json: JSONValue) {
        change = json["change"]?.text
        set = json["set"]?.members ?? []
        let fruits = json["fruits"]?.members ?? []
        self.fruits = fruits.compactMap { .init(name: $0.key, json: $0.value) }
        queue = json["queue"]?.elements.compactMap(ForecastResult.Instant.init(json:)) ?? []
        metrics = json["metrics"]?.members.map { .init(name: $0.key, json: $0.value) } ?? []
        differences = json["differences"]?.members.map { .init(name: $0.key, json: $0.value) } ?? []
        guard self.fruits.count == fruits.count, !queue.isEmpty else { return nil }
    }
}

extension ForecastResult.Fruit {
    fileprivate var json: JSONValue {
        ["short": short.json, "stockout": stockout.json, "level": .array(levels.map(\.json))]
    }

    fileprivate init?(name: String, json: JSONValue) {
        guard let short = ForecastResult.Event(json: json["short"]),
            let stockout = ForecastResult.Event(json: json["stockout"])
        else { return nil }
        self.name = name
        self.short = short
        self.stockout = stockout
        levels = json["level"]?.elements.compactMap(ForecastResult.Instant.init(json:)) ?? []
    }
}

extension ForecastResult.Event {
    fileprivate var json: JSONValue {
        let (mean, low, high) = (probability.mean, probability.low, probability.high)
        return [
            "probability": ["mean": .number(mean), "low": .number(low), "high": .number(high)],
            "at": at.map { .object($0.members) },
        ]
    }

    fileprivate init?(json: JSONValue?) {
        let probability = json?["probability"]
        guard let mean = probability?["mean"]?.seconds, let low = probability?["low"]?.seconds,
            let high = probability?["high"]?.seconds
        else { return nil }
        self.init(
            probability: .init(mean: mean, low: low, high: high),
            at: json?["at"].flatMap(ForecastResult.Quantiles.init(json:)))
    }
}

extension ForecastResult.Instant {
    fileprivate var json: JSONValue { .object([.init(key: "at", value: .number(at))] + quantiles.members) }

    fileprivate init?(json: JSONValue) {
        guard let at = json["at"]?.seconds, let quantiles = ForecastResult.Quantiles(json: json) else { return nil }
        self.init(at: at, quantiles: quantiles)
    }
}

extension ForecastResult.Quantiles {
    fileprivate var members: [JSONValue.Member] {
        [("p05", p05), ("p25", p25), ("p50", p50), ("p75", p75), ("p95", p95)].map {
            .init(key: $0.0, value: .number($0.1))
        }
    }

    fileprivate init?(json: JSONValue) {
        guard let p05 = json["p05"]?.seconds, let p25 = json["p25"]?.seconds, let p50 = json["p50"]?.seconds,
            let p75 = json["p75"]?.seconds, let p95 = json["p95"]?.seconds
        else { return nil }
        self.init(p05: p05, p25: p25, p50: p50, p75: p75, p95: p95)
    }
}

extension ForecastResult.Figure {
    fileprivate var json: JSONValue {
        ["mean": .orNull(mean), "p05": .orNull(p05), "p50": .orNull(p50), "p95": .orNull(p95)]
    }

    fileprivate init(name: String, json: JSONValue) {
        self.init(
            name: name, mean: json["mean"]?.seconds, p05: json["p05"]?.seconds, p50: json["p50"]?.seconds,
            p95: json["p95"]?.seconds)
    }
}

extension ForecastResult.Difference {
    fileprivate var json: JSONValue {
        ["mean": .orNull(mean), "halfWidth": .orNull(halfWidth)]
    }

    fileprivate init(name: String, json: JSONValue) {
        self.init(name: name, mean: json["mean"]?.seconds, halfWidth: json["halfWidth"]?.seconds)
    }
}
