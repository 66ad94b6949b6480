import Foundation
import JuiceStand
import Testing

/// A density on the positive numbers, 1 at 0, with its integral from a number on.
private struct KnownDensity: CustomTestStringConvertible, Sendable {
    let name: String
    let ziggurat: Ziggurat
    let density: @Sendable (Double) -> Double
    let beyond: @Sendable (Double) -> Double

    var testDescription: String { name }
}

private let densities = [
    KnownDensity(name: "exponential", ziggurat: .exponential, density: { exp(-$0) }, beyond: { exp(-$0) }),
    KnownDensity(
        name: "normal", ziggurat: .normal, density: { exp(-$0 * $0 / 2) },
        beyond: { (Double.pi / 2).squareRoot() * erfc($0 / 2.0.squareRoot()) }),
]

@Test(arguments: densities)
private func `ziggurat layers have equal areas and cover the density`(known: KnownDensity) {
    let layers = (0...255).map { known.ziggurat[$0] }
    let tail = known.ziggurat.tail
    let area = tail * known.density(tail) + known.beyond(tail)
    #expect(abs(layers[0].width * known.density(tail) - area) < 1e-15)
    for (place, layer) in layers.enumerated().dropFirst() {
        #expect(abs(layer.width * (layer.top - layer.bottom) - area) < 1e-14, "layer \(place)")
        #expect(abs(layer.bottom - known.density(layer.width)) < 1e-15, "layer \(place)")
        #expect(layer.bottom == (place == 1 ? known.density(tail) : layers[place - 1].top), "layer \(place)")
        // What is taken for inside ends where the layer above ends.
        let above = place == 255 ? 0 : layers[place + 1].width
        #expect(abs(Double(layer.inside) * 0x1p-53 * layer.width - above) <= 1e-15 * layer.width, "layer \(place)")
    }
    #expect(abs(Double(layers[0].inside) * 0x1p-53 * layers[0].width - tail) < 1e-14)
    // The last layer ends at the top of the density: that is what the published start of the tail is for.
    #expect(layers[255].top == 1)
}

/// The chance that a draw of a standard law is less than `x`.
private func below(_ x: Double, _ law: Distribution) -> Double {
    switch law {
    case .exponential: 1 - exp(-x)
    default: 1 - erfc(x / 2.0.squareRoot()) / 2
    }
}

/// Cells that follow the layers, and further out the tail, where a slip in the method would show: a chi-square test.
@Test(arguments: [Distribution.exponential(mean: 1), .normal(mean: 100, deviation: 1)])
func `draws fall into layers and tail with the right frequency`(law: Distribution) {
    let ziggurat: Ziggurat = if case .exponential = law { .exponential } else { .normal }
    let shift: Double = if case .normal(let mean, _) = law { mean } else { 0 }
    let edges =
        (1...255).map { ziggurat[$0].width }.reversed() + [1.02, 1.06, 1.12, 1.2].map { $0 * ziggurat.tail }
    let seed: UInt64 = 5
    var random = SplitMix64(seed: seed)
    let count = 2_000_000
    var cells = Array(repeating: 0, count: edges.count + 1)
    var negative = 0
    for _ in 0..<count {
        let draw = law.sample(using: &random) - shift
        if draw < 0 { negative += 1 }
        var low = 0
        var high = edges.count
        while low < high {
            let middle = (low + high) / 2
            if edges[middle] > abs(draw) { high = middle } else { low = middle + 1 }
        }
        cells[low] += 1
    }
    var square = 0.0
    var used = 0.0
    var before = shift == 0 ? 0 : 0.5
    for (place, found) in cells.enumerated() {
        let until = place < edges.count ? below(edges[place], law) : 1
        let expected = Double(count) * (until - before) * (shift == 0 ? 1 : 2)
        before = until
        guard expected > 5 else { continue }
        square += (Double(found) - expected) * (Double(found) - expected) / expected
        used += 1
    }
    #expect(used > 255)
    #expect(square < used + 5 * (2 * used).squareRoot(), "seed \(seed): χ² of \(square) in \(used) cells")
    // As many on one side as on the other.
    if shift > 0 {
        #expect(abs(Double(negative) - Double(count) / 2) < 5 * (Double(count) / 4).squareRoot(), "\(negative)")
    }
}
