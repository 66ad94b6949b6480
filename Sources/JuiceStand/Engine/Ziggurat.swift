import Platform

/// Draws from the standard exponential distribution, or from the right half of the standard normal. In 99 of 100 cases
/// a draw takes one random number, one comparison and one multiplication.
///
/// 256 layers of equal area cover the density. A draw chooses a layer and a position in it. Only near the curve does it
/// evaluate the density. The result is exact to the 53 bits of a position. Source: Marsaglia and Tsang, "The ziggurat
/// method for generating random variables", Journal of Statistical Software 5 (2000). Layer and position come from
/// different bits, as Doornik requires in "An improved ziggurat method to generate normal random samples" (2005).
///
/// The type is trivial, so that a sampler can hold it. Its layers are in memory that is filled once for each of the two
/// distributions, never changed and never freed, and an index is one byte.
///
/// Unchecked because of the pointer. It is safe to send, because every copy only reads that memory.
@safe
package struct Ziggurat: BitwiseCopyable, @unchecked Sendable {
    /// One layer. A position in it is a fraction of its width, in units of 2^-53.
    package struct Layer: BitwiseCopyable, Sendable {
        /// Positions below this lie under the curve at any height.
        package let inside: UInt64
        /// The width times 2^-53. A position times this is the draw.
        let scale: Double
        /// The density at the right and at the left edge of the layer.
        package let bottom: Double
        package let top: Double

        package var width: Double { scale * 0x1p53 }
    }

    /// The layers, the lowest first. The width of the lowest is that of a rectangle with the area of its box and the
    /// tail.
    private let layers: UnsafeMutablePointer<Layer>
    /// The start of the tail.
    package let tail: Double
    private let isNormal: Bool

    package static let exponential = Ziggurat(
        tail: 7.69711747013104972, isNormal: false, beyond: { exp(-$0) }, inverse: { -log($0) })

    package static let normal = Ziggurat(
        tail: 3.6541528853610088, isNormal: true,
        beyond: { (Double.pi / 2).squareRoot() * erfc($0 / 2.0.squareRoot()) }, inverse: { (-2 * log($0)).squareRoot() }
    )

    /// - Parameters:
    ///   - tail: The start for which 256 layers of equal area reach the top, as Marsaglia and Tsang computed it.
    ///   - beyond: The integral of the density from a number to infinity.
    ///   - inverse: The inverse function of the density.
    private init(tail: Double, isNormal: Bool, beyond: (Double) -> Double, inverse: (Double) -> Double) {
        func density(_ x: Double) -> Double { Ziggurat.density(x, isNormal: isNormal) }
        let area = tail * density(tail) + beyond(tail)
        var edges = [area / density(tail), tail]
        while edges.count < 256 {
            let edge = edges[edges.count - 1]
            edges.append(inverse(area / edge + density(edge)))
        }
        edges.append(0)
        unsafe layers = .allocate(capacity: 256)
        for place in 0..<256 {
            let width = edges[place]
            let inside = edges[place + 1]
            let layer = Layer(
                inside: UInt64(inside / width * 0x1p53), scale: width * 0x1p-53,
                bottom: place == 0 ? 0 : density(width), top: density(inside))
            unsafe (layers + place).initialize(to: layer)
        }
        self.tail = tail
        self.isNormal = isNormal
    }

    @inline(__always)
    package subscript(place: UInt8) -> Layer { unsafe layers[Int(place)] }

    /// The density, scaled to 1 at 0.
    private static func density(_ x: Double, isNormal: Bool) -> Double { exp(isNormal ? -x * x / 2 : -x) }
}

// MARK: - Drawing

extension Ziggurat {
    /// Draws once; the result is not negative.
    @inline(__always)
    func draw(using random: inout some RandomNumberGenerator) -> Double { draw(random.next(), &random) }

    /// Draws once from the symmetrical distribution: the result is negative in half of the cases.
    @inline(__always)
    func signedDraw(using random: inout some RandomNumberGenerator) -> Double {
        let bits = random.next()
        let draw = draw(bits, &random)
        // This bit belongs neither to the layer nor to the position.
        return bits & 0x100 == 0 ? draw : -draw
    }

    @inline(__always)
    private func draw(_ bits: UInt64, _ random: inout some RandomNumberGenerator) -> Double {
        let layer = self[UInt8(truncatingIfNeeded: bits)]
        let position = bits >> 11
        return position < layer.inside ? Double(position) * layer.scale : draw(near: bits, &random)
    }

    /// Completes a draw whose position is near the curve.
    @inline(never)
    private func draw(near bits: UInt64, _ random: inout some RandomNumberGenerator) -> Double {
        var bits = bits
        while true {
            let layer = self[UInt8(truncatingIfNeeded: bits)]
            let draw = Double(bits >> 11) * layer.scale
            if bits >> 11 < layer.inside { return draw }
            if bits & 0xff == 0 { return drawTail(&random) }
            let height = layer.bottom + random.uniform() * (layer.top - layer.bottom)
            if height < Self.density(draw, isNormal: isNormal) { return draw }
            bits = random.next()
        }
    }

    /// Draws from the tail. That of the exponential distribution is exponential again. For that of the normal see
    /// Marsaglia, "Generating a variable from the tail of the normal distribution", Technometrics 6 (1964).
    private func drawTail(_ random: inout some RandomNumberGenerator) -> Double {
        guard isNormal else { return tail + draw(using: &random) }
        while true {
            let beyond = Self.exponential.draw(using: &random) / tail
            if 2 * Self.exponential.draw(using: &random) >= beyond * beyond { return tail + beyond }
        }
    }
}
