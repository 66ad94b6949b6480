/// The place in a range at which a condition ends, by bisection.
///
/// - Parameters:
///   - range: Where to look.
///   - steps: The number of steps. Each halves the range.
///   - holds: True up to that place, and false from there on.
package func bisection(_ range: ClosedRange<Double>, steps: Int, while holds: (Double) -> Bool) -> Double {
    var low = range.lowerBound
    var high = range.upperBound
    for _ in 0..<steps {
        let middle = (low + high) / 2
        if holds(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
}

/// The place of the greatest value in a range, by golden-section search.
///
/// Source: Kiefer, "Sequential minimax search for a maximum", Proceedings of the American Mathematical Society 4
/// (1953).
///
/// - Parameters:
///   - range: Where to look.
///   - steps: The number of steps. Each narrows the range to 0.62 of its length.
///   - function: Has one maximum in the range.
package func goldenMaximum(_ range: ClosedRange<Double>, steps: Int, _ function: (Double) -> Double) -> Double {
    var low = range.lowerBound
    var high = range.upperBound
    let ratio = (5.0.squareRoot() - 1) / 2
    var a = high - ratio * (high - low)
    var b = low + ratio * (high - low)
    var atA = function(a)
    var atB = function(b)
    for _ in 0..<steps {
        if atA > atB {
            high = b
            b = a
            atB = atA
            a = high - ratio * (high - low)
            atA = function(a)
        } else {
            low = a
            a = b
            atA = atB
            b = low + ratio * (high - low)
            atB = function(b)
        }
    }
    return (low + high) / 2
}
