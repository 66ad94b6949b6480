import Platform

/// Functions related to the gamma function.
package enum GammaFunction {
    /// The derivative of log Γ. Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.3.5 and 6.3.18.
    package static func digamma(_ x: Double) -> Double {
        var x = x
        var sum = 0.0
        while x < 6 {
            sum -= 1 / x
            x += 1
        }
        let square = 1 / (x * x)
        return sum + log(x) - 0.5 / x - square * (1 / 12.0 - square * (1 / 120.0 - square / 252))
    }

    /// The regularized lower incomplete gamma function. Source: Abramowitz and Stegun, 6.5.29 and 6.5.31.
    package static func lower(_ a: Double, _ x: Double) -> Double {
        guard x > 0 else { return 0 }
        let factor = exp(a * log(x) - x - lgamma(a))
        if x < a + 1 {
            var term = 1 / a
            var sum = 1 / a
            var n = a
            while term > sum * 1e-15 {
                n += 1
                term *= x / n
                sum += term
            }
            return min(1, sum * factor)
        }
        // The continued fraction of the upper function, from its front by Lentz's method.
        var b = x + 1 - a
        var c = 1e300
        var d = 1 / b
        var h = d
        for i in 1...10_000 {
            let an = -Double(i) * (Double(i) - a)
            b += 2
            d = an * d + b
            d = 1 / (abs(d) < 1e-300 ? 1e-300 : d)
            c = b + an / c
            if abs(c) < 1e-300 { c = 1e-300 }
            h *= d * c
            if abs(d * c - 1) < 1e-14 { break }
        }
        return max(0, 1 - factor * h)
    }
}
