import Platform

extension Menu {
    /// The similarity of two recipes, as a fraction, so that comparisons are exact.
    public struct Similarity: Comparable, Sendable {
        let shared: Int
        let total: Int

        /// 0 if the recipes share nothing, 1 if they are equal.
        public var value: Double { total == 0 ? 0 : Double(shared) / Double(total) }

        public static func < (a: Self, b: Self) -> Bool {
            a.shared.multipliedFullWidth(by: b.total) < b.shared.multipliedFullWidth(by: a.total)
        }

        public static func == (a: Self, b: Self) -> Bool {
            a.shared.multipliedFullWidth(by: b.total) == b.shared.multipliedFullWidth(by: a.total)
        }
    }

    /// The weighted Jaccard index of two recipes: the sum of the smaller quantities divided by the sum of the larger
    /// ones.
    ///
    /// - Complexity: O(*n*²) for *n* ingredients
    ///
    /// Source: Ruzicka (1958); Ioffe, "Improved consistent sampling, weighted minhash and L1 sketching", ICDM 2010.
    public func similarity(of one: Juice, to other: Juice) -> Similarity {
        var shared = 0
        var total = 0
        for ingredient in recipe(of: one) {
            let theirs = pieces(of: ingredient.fruit, in: other)
            shared += min(ingredient.pieces, theirs)
            total += max(ingredient.pieces, theirs)
        }
        for ingredient in recipe(of: other) where pieces(of: ingredient.fruit, in: one) == 0 {
            total += ingredient.pieces
        }
        return Similarity(shared: shared, total: total)
    }

    /// All other juices, the most similar first, equally similar ones in menu order.
    ///
    /// - Complexity: O(*n* log *n*) for a menu of *n* juices
    public func juices(similarTo juice: Juice) -> [Juice] {
        let ranked = allJuices.filter { $0 != juice }.map { (juice: $0, similarity: similarity(of: juice, to: $0)) }
        // `sorted` is stable, so ties keep the menu's order.
        return ranked.sorted { $0.similarity > $1.similarity }.map(\.juice)
    }

    /// For each juice the others, the most similar first. All copies of a menu rank them once.
    package var substitutes: [[Juice]] {
        ranking.juices.withLock { known in
            let ranked = known ?? allJuices.map(juices(similarTo:))
            known = ranked
            return ranked
        }
    }

    /// The juices ranked by ``substitutes``; nil before the first call.
    final class Ranking: Sendable {
        fileprivate let juices = Guarded<[[Juice]]?>(nil)
    }

    private func pieces(of fruit: Fruit, in juice: Juice) -> Int {
        recipe(of: juice).first { $0.fruit == fruit }?.pieces ?? 0
    }
}
