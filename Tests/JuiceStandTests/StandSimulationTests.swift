import JuiceStand
import NotificationBus
import Synchronization
import Testing
import TextFormats

@Suite(.timeLimit(.minutes(60)))
struct StandSimulationTests {
    @Test func `another program can run a stand and observe it`() throws {
        let center = TypedNotificationCenter()
        let served = Mutex(0)
        let low = Mutex<[Int]>([])
        let tokens = [
            center.observe(OrderServed.self) { _ in served.withLock { $0 += 1 } },
            center.observe(LowStock.self) { fact in low.withLock { $0.append(fact.level) } },
        ]
        let simulation = try StandSimulation(configuration: lively)
        let figures = simulation.run(for: .seconds(3600), posting: center)
        for token in tokens { token.cancel() }
        #expect(figures.first { $0.name == "customers.served" }?.value == Double(served.withLock { $0 }))
        #expect(figures.first { $0.name == "alerts.lowStock" }?.value == Double(low.withLock { $0.count }))
        #expect(low.withLock { $0.allSatisfy { $0 <= 20 } && $0.count > 3 })
    }

    @Test func `a wrong configuration is refused with every problem`() {
        #expect(throws: InvalidConfiguration.self) { try StandSimulation(configuration: "{makers: 0, queue: 3}") }
        do {
            _ = try StandSimulation(configuration: "{makers: 0, queue: 3}")
        } catch {
            #expect(
                error.description == """
                    configuration:1:10: makers: must be at least 1, "unlimited" or {"shifts": …}, found 0
                    configuration:1:20: queue: must be an object, found 3
                    """)
        }
    }

    @Test(
        arguments: [
            (0, "0"), (12, "12"), (21_293, "21,293"), (-1234, "-1,234"), (0.75919, "0.759190"), (28.5, "28.5000"),
            (4405.7, "4,405.70"), (0.000404, "0.000404000"), (123_456.78, "123,456.8"), (1e-9, "1e-09"),
            (-0.5, "-0.500000"),
        ] as [(Double, String)])
    func `a number is shown with six significant digits`(number: Double, text: String) {
        #expect(Columns.readable(number) == text)
    }
}
