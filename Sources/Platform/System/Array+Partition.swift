extension Array {
    /// The first index whose element fulfils `belongs`; `count` if there is none.
    ///
    /// - Precondition: `belongs` holds for all elements behind one for which it holds.
    /// - Complexity: O(log *n*) for *n* elements
    // Public, so that other modules inline it: a call of a generic function costs more than the search.
    @inlinable public func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
