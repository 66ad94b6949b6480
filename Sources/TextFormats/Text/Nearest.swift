/// The candidate that `word` probably misspells; nil if none is near.
///
/// A candidate is near if its edit distance is at most a third of the word's length, or one. Upper and lower case are
/// equal. The distance counts letters inserted, deleted, replaced, or swapped with their neighbour: the optimal string
/// alignment form of the Damerau–Levenshtein distance. Among equal distances, a candidate with the same letters wins,
/// then the longest common prefix, because people swap or drop letters more often than they replace them.
package func nearest(_ word: String, among candidates: [String]) -> String? {
    let letters = Array(word.lowercased())
    let limit = max(1, letters.count / 3)
    var best: (candidate: String, distance: Int, likeness: Int)?
    for candidate in candidates {
        let others = Array(candidate.lowercased())
        // The difference in length is a lower bound. It also keeps very long words cheap.
        guard abs(others.count - letters.count) <= limit else { continue }
        let distance = editDistance(letters, others)
        // A short word can be within the limit without sharing a letter with the candidate.
        guard distance <= limit, distance < max(letters.count, others.count) else { continue }
        let likeness = letters.sorted() == others.sorted() ? Int.max : zip(letters, others).prefix { $0 == $1 }.count
        if let best, (distance, -likeness) >= (best.distance, -best.likeness) { continue }
        best = (candidate, distance, likeness)
    }
    return best?.candidate
}

/// Up to four candidates that `word` may stand for: the nearest, then those that contain it in either case.
///
/// If none is near, the nearest is the first that begins with what `word` misspells: `bananna` is near `banana juice`.
package func likely(_ word: String, among candidates: [String]) -> [String] {
    let best = nearest(word, among: candidates) ?? nearest(word, amongBeginningsOf: candidates)
    var likely = best.map { [$0] } ?? []
    if !word.isEmpty {
        likely += candidates.filter { $0 != best && $0.lowercased().contains(word.lowercased()) }
    }
    return Array(likely.prefix(4))
}

/// The first candidate whose first words, as many as `word` has, are nearest to `word`; nil if none is near.
private func nearest(_ word: String, amongBeginningsOf candidates: [String]) -> String? {
    let count = word.split(separator: " ").count
    let beginnings = candidates.map { $0.split(separator: " ").prefix(count).joined(separator: " ") }
    return nearest(word, among: beginnings).flatMap(beginnings.firstIndex(of:)).map { candidates[$0] }
}

/// The end of an error message about an unknown word: `; did you mean "a" or "b"?`. Empty if no candidate is similar.
package func hint(_ word: String, among candidates: [String]) -> String {
    let names = likely(word, among: candidates).map { "\"\($0)\"" }
    return names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
}

/// - Complexity: O(*n* · *m*) time and O(*m*) space for words of *n* and *m* letters.
private func editDistance(_ first: [Character], _ second: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for i in first.indices {
        var row = [i + 1]
        for j in second.indices {
            let replaced = last[j] + (first[i] == second[j] ? 0 : 1)
            var distance = min(replaced, last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                distance = min(distance, beforeLast[j - 1] + 1)
            }
            row.append(distance)
        }
        beforeLast = last
        last = row
    }
    return last[second.count]
}
