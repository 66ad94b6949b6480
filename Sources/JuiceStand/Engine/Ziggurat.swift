import Platform

/// The standard exponential or the right half of the standard normal law, ready for drawing: 99 draws in 100 take one
/// random number, one comparison and one multiplication.
///
/// The density is covered by 256 layers of equal area; a draw takes a layer and a position in it, and only near the
/// curve is the density itself looked at. Exact: no approximation beyond the 53 bits of a position. Source: Marsaglia
/// and Tsang, "The ziggurat method for generating random variables", Journal of Statistical Software 5 (2000); layer and
/// position come from different bits, as Doornik asks in "An improved ziggurat method to generate normal random
/// samples" (2005).
///
/// Plain, so that a law can hold it: its layers are in memory that is filled once for each of the two, never changed
/// and never freed, and a place in it is one byte. So it is safe to use wherever it is copied to.
@safe
package struct Ziggurat: BitwiseCopyable, @unchecked Sendable {
    /// One layer, of which a position is a fraction of its width in units of 2^-53.
    package struct Layer: BitwiseCopyable, Sendable {
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
    private let layers: UnsafeMutablePointer<Layer>
    /// Where the tail begins.
    package let tail: Double
    private let isNormal: Bool

    package static let exponential = Ziggurat(
        tail: 7.69711747013104972, isNormal: false, beyond: { exp(-$0) }, inverse: { -log($0) })

    package static let normal = Ziggurat(
        tail: 3.6541528853610088, isNormal: true,
        beyond: { (Double.pi / 2).squareRoot() * erfc($0 / 2.0.squareRoot()) }, inverse: { (-2 * log($0)).squareRoot() }
    )

    /// - Parameters:
    ///   - tail: Where 256 layers of equal area end at the top, as found by Marsaglia and Tsang.
    ///   - beyond: The integral of the density from a number on.
    ///   - inverse: The number at which the density has a value.
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
            let (width, inside) = (edges[place], edges[place + 1])
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

    /// 1 at 0.
    private static func density(_ x: Double, isNormal: Bool) -> Double { exp(isNormal ? -x * x / 2 : -x) }
}

// MARK: - Drawing

extension Ziggurat {
    /// One draw, not negative.
    @inline(__always)
    func draw(using random: inout some RandomNumberGenerator) -> Double { draw(random.next(), &random) }

    /// One draw, negative as often as not: from the whole of a law that is symmetrical.
    @inline(__always)
    func signedDraw(using random: inout some RandomNumberGenerator) -> Double {
        let bits = random.next()
        let draw = draw(bits, &random)
        // A bit that gave neither the layer nor the position.
        return bits & 0x100 == 0 ? draw : -draw
    }

    @inline(__always)
    private func draw(_ bits: UInt64, _ random: inout some RandomNumberGenerator) -> Double {
        let layer = self[UInt8(truncatingIfNeeded: bits)]
        let position = bits >> 11
        return position < layer.inside ? Double(position) * layer.scale : draw(near: bits, &random)
    }

    /// Goes on where the position that `bits` gave is not inside for certain.
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

    /// What is beyond the start of the tail is exponential again; of the normal law it is drawn as in Marsaglia,
    /// "Generating a variable from the tail of the normal distribution", Technometrics 6 (1964).
    private func drawTail(_ random: inout some RandomNumberGenerator) -> Double {
        guard isNormal else { return tail + draw(using: &random) }
        while true {
            let beyond = Self.exponential.draw(using: &random) / tail
            if 2 * Self.exponential.draw(using: &random) >= beyond * beyond { return tail + beyond }
        }
    }
}
