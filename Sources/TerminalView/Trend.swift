/// Figures over the last minutes, one sample for each step of stand time.
struct Trend: Sendable {
    /// A step in wall seconds; in stand time it is so many times the speed.
    static let step = 10.0
    /// Steps that are remembered: ten minutes.
    static let most = 60

    private var samples: [Double?] = []
    /// The number of the last step.
    private var last = 0
    /// The speed that steps are counted at.
    private var speed = 0.0

    /// The value at the end of each of the last `count` steps, the newest last; nil where nothing is known.
    func samples(_ count: Int) -> [Double?] {
        let known = samples.suffix(count)
        return Array(repeating: nil, count: max(0, count - known.count)) + known
    }

    /// Says what the value is at a stand time.
    ///
    /// What is a step late changes nothing; at another speed or an earlier time the stand is one that came back, and the trend
    /// begins afresh.
    mutating func record(_ value: Double, at time: Double, speed: Double) {
        let step = Int(time / (Self.step * speed))
        guard !samples.isEmpty, speed == self.speed, step >= last - 1, step - last < Self.most else {
            (samples, last, self.speed) = ([value], step, speed)
            return
        }
        guard step >= last else { return }
        // Nothing was heard in between because nothing changed.
        if step > last { samples += Array(repeating: samples.last!, count: step - last) }
        samples[samples.count - 1] = value
        samples.removeFirst(max(0, samples.count - Self.most))
        last = step
    }

    /// What the value grew by in each of the last `count` steps.
    func growth(_ count: Int) -> [Double?] {
        let values = samples(count + 1)
        return zip(values, values.dropFirst()).map { before, after in
            before.flatMap { before in after.map { max(0, $0 - before) } }
        }
    }
}
