import JuiceStand

extension Estimate {
    /// The mean differences of the metrics that both sides have, over pairs of replications with the same customers.
    ///
    /// - Parameters:
    ///   - pairs: The values of both sides, in the order of their names.
    ///   - firstNames: The metrics of the side that is subtracted.
    static func differences(
        _ names: [String], from firstNames: [String], _ pairs: [(values: [Double?], first: [Double?])],
        where isWanted: (String) -> Bool = { _ in true }
    ) -> [Estimate] {
        let places = Dictionary(uniqueKeysWithValues: firstNames.enumerated().map { ($1, $0) })
        return names.enumerated().compactMap { index, name in
            guard isWanted(name), let place = places[name] else { return nil }
            return Estimate(
                name: name,
                of: pairs.map { pair in pair.values[index].flatMap { value in pair.first[place].map { value - $0 } } })
        }
    }
}
