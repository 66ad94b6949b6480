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
