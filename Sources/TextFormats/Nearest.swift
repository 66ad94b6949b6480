/// The candidate that `word` was probably meant to be; nil when none is near.
///
/// Near is a third of the word's length in single-letter edits, at least one, case aside; of several equally near the
/// first. An edit is a letter put in, left out, replaced or swapped with its neighbour (the optimal string alignment
/// form of the Damerau–Levenshtein distance).
package func nearest(_ word: String, among candidates: [String]) -> String? {
    let letters = Array(word.lowercased())
    let limit = max(1, letters.count / 3)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let others = Array(candidate.lowercased())
        // The difference in length is a lower bound, which also keeps absurdly long words cheap.
        guard abs(others.count - letters.count) <= limit else { continue }
        let distance = editDistance(letters, others)
        // A word that shares no letter with the candidate is not a misspelling of it, however short.
        guard distance <= limit, distance < max(letters.count, others.count) else { continue }
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
}

/// The candidates that `word` may have been meant to be: the nearest first, then those that contain it, case aside; at
/// most four.
package func likely(_ word: String, among candidates: [String]) -> [String] {
    let nearest = nearest(word, among: candidates).map { [$0] } ?? []
    let containing = candidates.filter { !nearest.contains($0) && $0.lowercased().contains(word.lowercased()) }
    return Array((nearest + (word.isEmpty ? [] : containing)).prefix(4))
}

/// What an error message adds for a word that is none of `candidates`: `; did you mean "a" or "b"?`, or nothing where none
/// is like it.
package func hint(_ word: String, among candidates: [String]) -> String {
    let names = likely(word, among: candidates).map { "\"\($0)\"" }
    return names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
}

/// - Complexity: O(*n* · *m*) time, O(*m*) space.
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
