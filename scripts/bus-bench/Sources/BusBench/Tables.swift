import Foundation
import NotificationBus

/// A post against its baselines, by number of observers.
func postTable(_ figures: inout Figures) {
    print("nanoseconds a post, in passes that take turns, and ours ÷ this, of medians and of the best passes")
    for observers in [1, 3, 10, 100] {
        let contenders = [
            typedCenter(observers), closureLoop(observers), directLoop(observers), functionPointerLoop(observers),
            foundationCenter(observers), mainActorMessages(observers), asyncMessages(observers),
            observableProperty(observers), asyncStreams(observers), typedSequences(observers),
        ]
        let passes = times(contenders, count: 200_000 / observers, passes: 51)
        let times = passes.map(\.median)
        let bests = passes.map(\.best)
        let ours = times[0]
        print(
            "\(observers) observers".leading(14) + "median".leading(18) + "best".leading(14) + "÷ median".leading(11)
                + "÷ best".leading(8))
        for (index, contender) in contenders.enumerated() {
            let ratios = (ours / times[index]).text(4, width: 11) + (bests[0] / bests[index]).text(4, width: 8)
            print(
                """
                  \(contender.name.trailing(20)) \(times[index].text(2, width: 10)) \(bests[index].text(2, width: 10)) ns\
                \(index == 0 ? "" : ratios)
                """)
        }
        figures.againstClosures[observers] = ours / times[1]
        // The faster of the two ways that have no closure.
        if observers == 3 { figures.againstFloor = ours / min(times[2], times[3]) }
    }
}

/// What one post costs the runtime.
func countTable(_ figures: inout Figures) {
    let count = 100_000
    print("what the runtime does in \(count) posts to 3 observers")
    // The loop over closures shows that the counting works: it retains and releases each closure.
    for contender in [typedCenter(3), closureLoop(3), foundationCenter(3)] {
        _ = contender.run(1)
        let idle = RuntimeCounts.counting { _ = contender.run(opaque(0)) }
        guard let idle, let counts = RuntimeCounts.counting({ _ = contender.run(opaque(count)) }) else {
            print("  this runtime has no hooks to count it")
            return
        }
        let found = (
            retains: counts.retains - idle.retains, releases: counts.releases - idle.releases,
            objects: counts.objects - idle.objects, blocks: counts.blocks - idle.blocks
        )
        print(
            """
              \(contender.name.trailing(20)) \(found.retains) retains, \(found.releases) releases, \(found.objects) objects, \
            \(found.blocks) blocks of memory
            """)
        if contender.name == "typed center" {
            figures.allocations = Double(max(found.objects, found.blocks)) / Double(count)
            figures.retains = Double(max(found.retains, found.releases)) / Double(count)
        }
    }
}

/// What features cost that are there and not used.
func featureTable(_ figures: inout Figures) {
    struct Other: TypedNotification {
        static var keepsLatest: Bool { true }
    }
    let sender = Sum()
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
    let passes = times([plain, featured], count: 100_000, passes: 61)
    let difference = zip(passes[1], passes[0]).map { $0 - $1 }.median
    print(
        """
        a post to 3 observers: \(passes[0].median.text(2)) ns; with a tap and measuring used before, and sender, priority, \
        latest value and object used for another type: \(passes[1].median.text(2)) ns; median difference of a pass \
        \(difference.text(2)) ns
        """)
    figures.unusedFeatures = difference
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
///
/// Short passes, alone and together in turn, so that most are not interrupted by whatever else the machine does; each
/// pass of two threads is held against those of one thread right before and after it. The same with a center for each
/// thread, which share nothing, tells what the machine itself takes for two threads at once.
func threadTable(_ figures: inout Figures) {
    let count = 50_000
    let passes = 301
    func slowdown(_ centers: [TypedNotificationCenter]) -> (alone: [Double], together: [Double], ratios: [Double]) {
        let sums = (0..<3).map { _ in [Sum(), Sum()] }
        let tokens = Set(centers.map { ObjectIdentifier($0) }).flatMap { identity in
            sums.map { sums in
                let first = sums[0]
                let second = sums[1]
                let center = centers.first { ObjectIdentifier($0) == identity } ?? centers[0]
                return center.observe(Sale.self) { ($0.poster == 0 ? first : second).add($0.amount) }
            }
        }
        @Sendable func post(_ poster: Int) -> Double {
            let center = centers[poster]
            let start = now()
            for amount in 0..<count { center.post(Sale(amount: amount, poster: poster)) }
            return Double(now() - start) / Double(count)
        }
        var alone = [post(0)]
        var together: [Double] = []
        for pass in 1...passes {
            together.append(onThreads(2) { post($0) }.reduce(0, +) / 2)
            alone.append(onThreads(1) { _ in post(pass % 2) }[0])
        }
        for (poster, passesAlone) in [(0, passes / 2 + 1), (1, (passes + 1) / 2)] {
            for sum in sums.map({ $0[poster] }) {
                precondition(
                    sum.value == (passes + passesAlone) * (count * (count - 1) / 2), "an observer missed a post")
            }
        }
        withExtendedLifetime(tokens) {}
        let ratios = together.indices.map { 2 * together[$0] / (alone[$0] + alone[$0 + 1]) }
        return (alone, together, ratios)
    }
    let center = TypedNotificationCenter()
    let same = slowdown([center, center])
    let apart = slowdown([TypedNotificationCenter(), TypedNotificationCenter()])
    print("two threads posting to 3 observers, \(passes) passes of \(count) posts a thread, alone and together in turn")
    for (name, found) in [("one center", same), ("a center each", apart)] {
        print(
            """
              \(name.trailing(20)) alone \(found.alone.median.text(2)) ns a post, together \(found.together.median.text(2)) ns each; \
            slowdown \(found.ratios.median.text(2)) (median of passes), \
            \((found.together.best / found.alone.best).text(2)) (of the best passes)
            """)
    }
    figures.slowdown = same.ratios.median
}

/// Beginning and ending an observation, with few and with many others there.
func churnTable(_ circumstances: String, _ figures: inout Figures) {
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
    figures.churn = max(figures.churn ?? 0, times.1.median / times.0.median)
}

/// What an observation takes of memory, its token and closure included.
func memoryTable(_ figures: inout Figures) {
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
    figures.bytes = Double(after - before) / Double(count)
    withExtendedLifetime(tokens) {}
}

/// How much memory of the process is in use; `nil` where the system does not say.
private func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}
