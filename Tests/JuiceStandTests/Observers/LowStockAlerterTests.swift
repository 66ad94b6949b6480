import JuiceStand
import Testing

@Test func `an alerter keeps the latest alerts, the oldest first, and counts all`() {
    let alerter = LowStockAlerter()
    let fruit = Menu.standard.allFruits[0]
    let count = LowStockAlerter.mostAlerts + 5
    for level in 0..<count {
        let stamp = Stamp(sequence: UInt64(level + 1), time: SimulationTime(nanoseconds: Int64(level)))
        alerter.hear(LowStock(stamp: stamp, fruit: fruit, level: level, threshold: count))
    }
    #expect(alerter.alerts.map(\.level) == Array(5..<count))
    #expect(alerter.count == count)
}
