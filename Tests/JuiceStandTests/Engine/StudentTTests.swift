import JuiceStand
import TestSupport
import Testing

/// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.10, percentage points of Student's t; the
/// last row is the normal distribution's, which a million degrees differ from by three in the sixth digit.
@Test(
    arguments: [
        (1, [1.000, 3.078, 6.314, 12.706, 31.821, 63.657]), (2, [0.816, 1.886, 2.920, 4.303, 6.965, 9.925]),
        (3, [0.765, 1.638, 2.353, 3.182, 4.541, 5.841]), (5, [0.727, 1.476, 2.015, 2.571, 3.365, 4.032]),
        (9, [0.703, 1.383, 1.833, 2.262, 2.821, 3.250]), (10, [0.700, 1.372, 1.812, 2.228, 2.764, 3.169]),
        (30, [0.683, 1.310, 1.697, 2.042, 2.457, 2.750]), (60, [0.679, 1.296, 1.671, 2.000, 2.390, 2.660]),
        (120, [0.677, 1.289, 1.658, 1.980, 2.358, 2.617]), (1_000_000, [0.674, 1.282, 1.645, 1.960, 2.326, 2.576]),
    ] as [(Int, [Double])])
func `half widths agree with the published table`(degrees: Int, table: [Double]) {
    for (confidence, value) in zip([0.5, 0.8, 0.9, 0.95, 0.98, 0.99], table) {
        let found = StudentT.halfWidth(confidence: confidence, degrees: degrees)
        #expect(abs(found - value) <= 0.0005 + 1e-9, "\(confidence): \(found)")
    }
}

/// In closed form: one degree is Cauchy's law, with two t = c·√(2 / (1 − c²)).
@Test func `half widths of one and two degrees are exact for any confidence`() {
    for confidence in [1e-6, 0.05, 0.5, 0.95, 0.999, 1 - 1e-9] {
        let one = StudentT.halfWidth(confidence: confidence, degrees: 1)
        #expect(abs(StudentT.central(tangent: one, degrees: 1) - confidence) < 1e-12)
        let two = confidence * (2 / ((1 - confidence) * (1 + confidence))).squareRoot()
        #expect(abs(StudentT.halfWidth(confidence: confidence, degrees: 2) / two - 1) < 1e-6)
    }
}

@Test func `half widths fall smoothly with the degrees of freedom`() {
    var last = Double.infinity
    for degrees in [1, 2, 3, 4, 5, 8, 9, 50, 51, 9_998, 9_999, 10_000, 10_001, 10_002, 1_000_000] {
        let found = StudentT.halfWidth(confidence: 0.95, degrees: degrees)
        #expect(found < last, "\(degrees) degrees")
        last = found
    }
    let below = StudentT.halfWidth(confidence: 0.95, degrees: 10_000)
    #expect(abs(StudentT.halfWidth(confidence: 0.95, degrees: 10_001) / below - 1) < 1e-7)
}

@Test(.onItsOwnThread) func `a confidence or degrees that make no sense are refused`() async {
    await #expect(processExitsWith: .failure) { _ = StudentT.halfWidth(confidence: 0.95, degrees: 0) }
    await #expect(processExitsWith: .failure) { _ = StudentT.halfWidth(confidence: 1, degrees: 5) }
    await #expect(processExitsWith: .failure) { _ = StudentT.halfWidth(confidence: 0, degrees: 5) }
}
