/// The observers that every stand has: what it shows, its alerts, and the lines it writes.
///
/// Whoever runs a stand with observers keeps this value until the end: some wirings hold observers weakly.
package struct StandObservers: Sendable {
    package let display = StockDisplay()
    package let alerter = LowStockAlerter()
    /// The log, the ledger and the lines for event listeners, as far as they are wanted.
    package let loggers: [StandLogger]

    package init(loggers: [StandLogger]) {
        self.loggers = loggers
    }

    /// The saved state of the display and the alerter.
    package struct Memory: Codable, Sendable {
        var display: StockDisplay.Memory
        var alerter: LowStockAlerter.Memory
    }

    package var memory: Memory { Memory(display: display.memory, alerter: alerter.memory) }

    /// Continues from the saved state of other observers.
    package func begin(with memory: Memory) {
        display.memory = memory.display
        alerter.memory = memory.alerter
    }

    /// Starts from the present state of a stand, which may be open already.
    package func begin(with stand: Stand) {
        display.begin(with: stand)
        alerter.begin(with: stand)
    }

    /// All observers, in the order in which they are connected.
    package var all: [any FactObserver & Sendable] { [display, alerter] + loggers }

    package func connect(to wiring: any Wiring) { for observer in all { wiring.connect(observer) } }

    /// Writes the lines that are still buffered.
    package func flush() { for logger in loggers { logger.flush() } }
}
