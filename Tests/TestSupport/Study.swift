import Foundation

/// Sizes of statistical studies.
///
/// Every run of the tests draws a small sample, which shows a gross fault in a second. `scripts/soak samples` sets
/// `JUICESTAND_STUDIES`, builds with optimization, and draws the large one.
package enum Study {
    package static let isFull = ProcessInfo.processInfo.environment["JUICESTAND_STUDIES"] != nil

    package static func size(_ quick: Int, full: Int) -> Int { isFull ? full : quick }
}
