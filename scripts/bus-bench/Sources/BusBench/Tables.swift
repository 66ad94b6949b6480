import Foundation
import NotificationBus
import Synchronization

/// A post against its baselines, by number of observers.
func postTable() {
    print("nanoseconds a post (medians of passes that take turns), and ours as a ratio")
    let passes = 31
    for observers in [1, 3, 10, 100] {
        var contenders = [
            closureLoop(observers), directLoop(observers), functionPointerLoop(observers), typedCenter(observers),
        ]
        let times = medians(contenders, count: 200_000 / observers, passes: passes)
        contenders.append(foundationCenter(observers))
        let foundation = medians([contenders[4]], count: 3_000 / observers + 100, passes: 9)[0]
        let ours = times[3]
        print("\(observers) observers".leading(14))
        for (contender, time) in zip(contenders, times + [foundation]) {
            let ratio = contender.name == "typed center" ? "" : "ours ÷ this \((ours / time).text(2, width: 5))"
            print("  \(contender.name.trailing(20)) \(time.text(2, width: 9)) ns   \(ratio)")
        }
    }
}

/// What one post costs the runtime.
func countTable() {
    let contender = typedCenter(3)
    _ = contender.run(1)
    let count = 100_000
    let idle = RuntimeCounts.counting { _ = contender.run(opaque(0)) }
    guard let idle, let counts = RuntimeCounts.counting({ _ = contender.run(opaque(count)) }) else {
        print("retains and allocations: this runtime has no hooks to count them")
        return
    }
    print(
        """
        \(count) posts to 3 observers: \(counts.retains - idle.retains) retains, \
        \(counts.releases - idle.releases) releases, \(counts.objects - idle.objects) objects made
        """)
}

/// What features cost that are there and not used.
func featureTable() {
    struct Other: TypedNotification {
        static var keepsLatest: Bool { true }
    }
    let sender = Sum()
    let used = Atomic<Int>(0)
    var kept: [ObservationToken] = []
    let plain = typedCenter(3)
    let featured = typedCenter(3, name: "features elsewhere") { center in
        center.diagnostics.isMeasuring = true
        center.diagnostics.tap { _ in }.cancel()
        center.diagnostics.isMeasuring = false
        center.diagnostics.observerLimit = 100
        kept.append(center.observe(Other.self, priority: .high, from: sender, replayingLatest: true) { _ in })
        kept.append(center.observe(Other.self, with: sender) { _, _ in })
        center.post(Other(), from: sender)
    }
    used.add(kept.count, ordering: .relaxed)
    let times = medians([plain, featured], count: 100_000, passes: 31)
    print(
        """
        a post to 3 observers: \(times[0].text(2)) ns; with a tap and measuring used before, and sender, priority, \
        latest value and object used for another type: \(times[1].text(2)) ns
        """)
    withExtendedLifetime(kept) {}
}

/// What the other forms of observing cost: three observers each.
func formTable() {
    let receiver = Sum()
    func form(_ name: String, _ observe: (TypedNotificationCenter, Sum) -> ObservationToken) -> Contender {
        let center = TypedNotificationCenter()
        let sums = (0..<3).map { _ in Sum() }
        let tokens = sums.map { observe(center, $0) }
        return Contender(name: name) { count in
            for amount in 0..<count { center.post(Sale(amount: amount), from: receiver) }
            return withExtendedLifetime(tokens) { sums.map(\.value) }
        }
    }
    var forms = [
        form("plain") { center, sum in center.observe(Sale.self) { sum.add($0.amount) } },
        form("from: sender") { center, sum in center.observe(Sale.self, from: receiver) { sum.add($0.amount) } },
        form("throwing") { center, sum in
            center.observe(Sale.self) {
                if $0.amount < 0 { throw CancellationError() }
                sum.add($0.amount)
            }
        },
        form("with: object") { center, sum in center.observe(Sale.self, with: sum) { $0.add($1.amount) } },
        form("tapped") { center, sum in
            let tap = center.diagnostics.tap { _ in }
            return center.observe(Sale.self) { sale in withExtendedLifetime(tap) { sum.add(sale.amount) } }
        },
    ]
    struct Level: TypedNotification {
        static var keepsLatest: Bool { true }
        var amount: Int
    }
    let center = TypedNotificationCenter()
    let sums = (0..<3).map { _ in Sum() }
    let tokens = sums.map { sum in center.observe(Level.self) { sum.add($0.amount) } }
    forms.append(
        Contender(name: "keeping the latest") { count in
            for amount in 0..<count { center.post(Level(amount: amount)) }
            return withExtendedLifetime(tokens) { sums.map(\.value) }
        })
    print("a post to 3 observers in other forms")
    for (form, time) in zip(forms, medians(forms, count: 20_000, passes: 15)) {
        print("  \(form.name.trailing(20)) \(time.text(2, width: 9)) ns")
    }
}

/// Two threads that post the same type.
func threadTable() {
    let center = TypedNotificationCenter()
    let sums = (0..<3).map { _ in [Sum(), Sum()] }
    let tokens = sums.map { sums in
        let first = sums[0]
        let second = sums[1]
        return center.observe(Sale.self) { ($0.poster == 0 ? first : second).add($0.amount) }
    }
    let count = 400_000
    @Sendable func post(_ poster: Int) -> Double {
        let start = now()
        for amount in 0..<count { center.post(Sale(amount: amount, poster: poster)) }
        return Double(now() - start) / Double(count)
    }
    var alone: [Double] = []
    var together: [Double] = []
    let passes = 41
    for _ in 0..<passes {
        alone.append(post(0))
        alone.append(onThreads(1) { _ in post(1) }[0])
        together += onThreads(2) { post($0) }
    }
    for sum in sums.flatMap({ $0 }) {
        precondition(sum.value == 2 * passes * (count * (count - 1) / 2), "an observer missed a post")
    }
    print(
        """
        two threads posting the same type to 3 observers: \(together.median.text(2)) ns a post each, one alone \
        \(alone.median.text(2)) ns; slowdown \((together.median / alone.median).text(2)), of the best passes \
        \(((together.min() ?? 0) / (alone.min() ?? 1)).text(2))
        """)
    withExtendedLifetime(tokens) {}
}

/// Beginning and ending an observation, with few and with many others there.
func churnTable(_ circumstances: String) {
    struct Quiet: TypedNotification {}
    func churn(_ others: Int) -> () -> Double {
        let center = TypedNotificationCenter()
        let sum = Sum()
        let tokens = (0..<others).map { _ in center.observe(Quiet.self) { _ in sum.add(1) } }
        let count = 20_000
        return {
            let start = now()
            for _ in 0..<count { center.observe(Quiet.self) { _ in sum.add(1) }.cancel() }
            return withExtendedLifetime(tokens) { Double(now() - start) / Double(count) }
        }
    }
    let none = churn(0)
    let many = churn(1000)
    var times: ([Double], [Double]) = ([], [])
    for _ in 0..<15 {
        times.0.append(none())
        times.1.append(many())
    }
    print(
        """
        observe and cancel, \(circumstances): \(times.0.median.text(0)) ns with no others, \(times.1.median.text(0)) ns with 1000 others; \
        ratio \((times.1.median / times.0.median).text(2))
        """)
}

/// What an observation takes of memory, its token and closure included.
func memoryTable() {
    struct Quiet: TypedNotification {}
    let center = TypedNotificationCenter()
    let sum = Sum()
    let count = 400_000
    let token = center.observe(Quiet.self) { _ in sum.add(1) }
    // Written once beforehand, so that the array itself is not counted.
    var tokens: [ObservationToken] = []
    tokens.reserveCapacity(count)
    for _ in 0..<count { tokens.append(token) }
    guard let before = residentBytes() else { return }
    for index in 0..<count { tokens[index] = center.observe(Quiet.self) { _ in sum.add(1) } }
    guard let after = residentBytes() else { return }
    print("bytes an observation, token and closure included: \((after - before) / count)")
    withExtendedLifetime(tokens) {}
}

/// How much memory of the process is in use; `nil` where the system does not say.
private func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}
