#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Draws from the standard exponential and the standard normal law, 99 in 100 of them with one random number, one
/// comparison and one multiplication.
///
/// The density is covered by 256 layers of equal area; a draw takes a layer and a position in it, and only near the
/// curve is the density itself looked at. Exact: no approximation beyond the 53 bits of a position. Source: Marsaglia
/// and Tsang, "The ziggurat method for generating random variables", Journal of Statistical Software 5 (2000); layer and
/// position come from different bits, as Doornik asks in "An improved ziggurat method to generate normal random
/// samples" (2005).
package struct Ziggurat: Sendable {
    /// One layer, of which a position is a fraction of its width in units of 2^-53.
    package struct Layer: Sendable {
        /// Positions below it lie under the curve however high they are.
        package let inside: UInt64
        /// The width, in units of 2^-53: a position times it is the draw.
        let scale: Double
        /// The density at the layer's right and at its left edge.
        package let bottom: Double
        package let top: Double

        package var width: Double { scale * 0x1p53 }
    }

    /// The lowest first, whose width is that of a rectangle as large as its box and the tail together.
    package let layers: [Layer]
    /// Where the tail begins.
    package let tail: Double

    private init(tail: Double, area: Double, density: (Double) -> Double, inverse: (Double) -> Double) {
        var edges = [area / density(tail), tail]
        while edges.count < 256 {
            let edge = edges[edges.count - 1]
            edges.append(inverse(area / edge + density(edge)))
        }
        edges.append(0)
        layers = (0..<256).map { (place: Int) -> Layer in
            let (width, inside) = (edges[place], edges[place + 1])
            return Layer(
                inside: UInt64(inside / width * 0x1p53), scale: width * 0x1p-53,
                bottom: place == 0 ? 0 : density(width), top: density(inside))
        }
        self.tail = tail
    }

    /// exp(−x); where 256 layers of equal area end was found by Marsaglia and Tsang.
    package static let exponential = {
        let tail = 7.69711747013104972
        return Ziggurat(tail: tail, area: (tail + 1) * exp(-tail), density: { exp(-$0) }, inverse: { -log($0) })
    }()

    /// exp(−x²/2), of which the right half is layered.
    package static let normal = {
        let tail = 3.6541528853610088
        let beyond = (Double.pi / 2).squareRoot() * erfc(tail / 2.0.squareRoot())
        return Ziggurat(
            tail: tail, area: tail * bell(tail) + beyond, density: bell, inverse: { (-2 * log($0)).squareRoot() })
    }()

    fileprivate static func bell(_ x: Double) -> Double { exp(-x * x / 2) }
}

// MARK: - Drawing

extension RandomNumberGenerator {
    /// Exponential with mean 1.
    @inline(__always)
    mutating func exponential() -> Double {
        let bits = next()
        let layer = Ziggurat.exponential.layers[Int(bits & 0xff)]
        let position = bits >> 11
        return position < layer.inside ? Double(position) * layer.scale : exponential(near: bits)
    }

    /// Normal with mean 0 and deviation 1.
    @inline(__always)
    mutating func normal() -> Double {
        let bits = next()
        let layer = Ziggurat.normal.layers[Int(bits & 0xff)]
        let position = bits >> 11
        let draw: Double = position < layer.inside ? Double(position) * layer.scale : normal(near: bits)
        return bits & 0x100 == 0 ? draw : -draw
    }

    /// Goes on where the position that `bits` gave is not inside for certain.
    @inline(never)
    private mutating func exponential(near bits: UInt64) -> Double {
        var bits = bits
        var start = 0.0
        while true {
            let layer = Ziggurat.exponential.layers[Int(bits & 0xff)]
            let draw = Double(bits >> 11) * layer.scale
            if bits >> 11 < layer.inside { return start + draw }
            if bits & 0xff == 0 {
                // What is beyond the start of the tail is exponential again.
                start += Ziggurat.exponential.tail
            } else if layer.bottom + uniform() * (layer.top - layer.bottom) < exp(-draw) {
                return start + draw
            }
            bits = next()
        }
    }

    /// Goes on where the position that `bits` gave is not inside for certain; without a sign.
    @inline(never)
    private mutating func normal(near bits: UInt64) -> Double {
        var bits = bits
        while true {
            let layer = Ziggurat.normal.layers[Int(bits & 0xff)]
            let draw = Double(bits >> 11) * layer.scale
            if bits >> 11 < layer.inside { return draw }
            if bits & 0xff == 0 { return normalTail() }
            let height: Double = layer.bottom + uniform() * (layer.top - layer.bottom)
            if height < Ziggurat.bell(draw) { return draw }
            bits = next()
        }
    }

    /// Marsaglia, "Generating a variable from the tail of the normal distribution", Technometrics 6 (1964).
    private mutating func normalTail() -> Double {
        let tail = Ziggurat.normal.tail
        while true {
            let beyond: Double = exponential() / tail
            let height: Double = exponential()
            if height + height >= beyond * beyond { return tail + beyond }
        }
    }
}
