/// A figure over the last minutes, with one sample for each step of stand time.
struct Trend: Sendable {
    /// A step in wall seconds. In stand time it is multiplied by the speed.
    static let step = 10.0
    /// Steps that are kept: ten minutes.
    static let most = 60

    private var samples: [Double?] = []
    /// The number of the last step.
    private var last = 0
    /// The speed of the steps so far.
    private var speed = 0.0

    /// The value at the end of each of the last `count` steps, the newest last; nil if it is unknown.
    func samples(_ count: Int) -> [Double?] {
        let known = samples.suffix(count)
        return Array(repeating: nil, count: max(0, count - known.count)) + known
    }

    /// Records the value at a stand time.
    ///
    /// A value for an earlier step is ignored. Another speed or a much earlier time means a restarted stand, and the trend
    /// starts again.
    mutating func record(_ value: Double, at time: Double, speed: Double) {
        let step = Int(time / (Self.step * speed))
        guard !samples.isEmpty, speed == self.speed, step >= last - 1, step - last < Self.most else {
            (samples, last, self.speed) = ([value], step, speed)
            return
        }
        guard step >= last else { return }
        // No news in between means no change.
        if step > last { samples += Array(repeating: samples.last!, count: step - last) }
        samples[samples.count - 1] = value
        samples.removeFirst(max(0, samples.count - Self.most))
        last = step
    }

    /// The growth of the value in each of the last `count` steps.
    func growth(_ count: Int) -> [Double?] {
        let values = samples(count + 1)
        return zip(values, values.dropFirst()).map { before, after in
            before.flatMap { before in after.map { max(0, $0 - before) } }
        }
    }
}
