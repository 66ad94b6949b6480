import Foundation
import JuiceStand
import StandFitting
import TestSupport
import TextFormats
import Tills

/// Reads a till from its text.
func read(_ text: String, columns: TillColumns = TillColumns(), timeFormat: String? = nil) throws -> Till {
    try read(Array(text.utf8), columns: columns, timeFormat: timeFormat)
}

func read(_ bytes: [UInt8], columns: TillColumns = TillColumns(), timeFormat: String? = nil) throws -> Till {
    var request = TillRequest(file: "till.csv")
    request.columns = columns
    request.timeFormat = timeFormat
    var till = try withFile(bytes, request) { try $0.till() }
    till.file = request.file
    return till
}

/// Calls `body` with a reader of a file that has `bytes`. Errors name the file as `request` does.
func withFile<Result>(_ bytes: [UInt8], _ request: TillRequest, _ body: (TillReader) throws -> Result) throws -> Result
{
    let folder = try TemporaryFolder()
    var stored = request
    stored.file = folder.path + "/" + request.file
    try Data(bytes).write(to: URL(filePath: stored.file))
    do { return try withExtendedLifetime(folder) { try body(TillReader(stored)) } } catch let error as TillError {
        switch error {
        case .badTill(var problem):
            problem.place.source = request.file
            problem.message = problem.message.replacing(folder.path + "/", with: "")
            throw TillError.badTill(problem)
        case .badOption(let message): throw TillError.badOption(message.replacing(folder.path + "/", with: ""))
        case .unreadable: throw error
        }
    }
}

/// A till that draws its orders from a law, for tests that fit it again.
struct DrawnTill {
    var days = 140
    var perDay = 40.0
    /// Relative rates of the weekdays, from Monday.
    var weekdays: [Double] = [1, 1, 1, 1, 1, 1, 1]
    /// Relative rates of the hours from 9 to 17.
    var hours: [Double] = [1, 1, 1, 1, 1, 1, 1, 1]
    /// The shape of the gamma law of days; nil for Poisson days.
    var shape: Double?
    /// The seconds between orders, if they are paced.
    var pace: Double?
    var resolution: Int64 = 0

    /// Monday, 2 January 2017, in days since 1970.
    static let firstDay = 17_168
    private static let second: Int64 = 1_000_000_000

    func draw(seed: UInt64) -> Till {
        var streams = RandomStreams(seed: seed)
        var random = streams.stream(named: "till")
        var orders: [Till.Order] = []
        let sum = hours.reduce(0, +)
        for day in 0..<days {
            let midnight = Int64(Self.firstDay + day) * CalendarTime.day
            if let pace {
                var time = 9 * 3600 + pace * random.uniform()
                while time < 17 * 3600 {
                    orders.append(.init(time: midnight + Int64(time * 1e9), lines: 1))
                    time += pace * (0.9 + 0.2 * random.uniform())
                }
                continue
            }
            let level = shape.map { Distribution.gamma(shape: $0, mean: 1).sample(using: &random) } ?? 1
            for (hour, rate) in hours.enumerated() {
                let mean = perDay * weekdays[day % 7] * level * rate / sum
                let count = mean > 0 ? Int(Distribution.poisson(mean: mean).sample(using: &random)) : 0
                for _ in 0..<count {
                    var time = (Double(9 + hour) + random.uniform()) * 3600 * 1e9
                    if resolution > 0 { time = (time / Double(resolution)).rounded(.down) * Double(resolution) }
                    orders.append(.init(time: midnight + Int64(time), lines: 1))
                }
            }
        }
        var columns = TillColumns()
        columns[.time] = ["time"]
        var till = Till(file: "drawn.csv", orders: orders.sorted { $0.time < $1.time }, columns: columns)
        till.resolution = resolution
        return till
    }
}
