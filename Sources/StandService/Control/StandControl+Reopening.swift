import Dispatch
import JuiceStand
import Platform
import StandState

extension StandControl {
    /// Reopens the ledger by its name, after it was moved away.
    ///
    /// The stand never waits for the disk. First everything is synchronized that can be; between two events the next
    /// lines then go to the new file; then the rest of the old file is synchronized. Only a ledger that is on the disk
    /// up to there is recorded in the state.
    ///
    /// - Parameter then: Called with the error if the ledger stays in its old file, or if that is not known to be on
    ///   the disk; nil on success.
    package func reopenLedger(then: @escaping @Sendable (FileError?) -> Void) {
        guard let ledger else { return then(FileError(path: "the stand", reason: "has no ledger")) }
        reopening.async {
            do throws(FileError) { try ledger.synchronize() } catch { return then(error) }
            self.driver.async {
                do throws(FileError) {
                    guard let first = try ledger.reopen() else { return then(nil) }
                    self.reopening.async { self.record(ledger, beginsWith: first, then: then) }
                } catch {
                    then(error)
                }
            }
        }
    }

    private func record(
        _ ledger: LedgerFile, beginsWith first: UInt64, then: @escaping @Sendable (FileError?) -> Void
    ) {
        do throws(FileError) { try ledger.synchronize() } catch { return then(error) }
        guard let keeping else { return then(nil) }
        keeping.record(ledgerBegins: first, then: then)
    }
}
