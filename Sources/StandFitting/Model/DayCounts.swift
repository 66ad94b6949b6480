import TextFormats
import Tills

/// The orders of each day and time of day.
struct DayCounts: Sendable {
    /// Days from 1970 to the first day.
    let firstDay: Int
    let days: Int
    /// The number of equal parts of a day.
    let bins: Int
    /// The number of orders, by day, then by bin.
    private(set) var counts: [Double]

    init(_ till: Till, bins: Int) {
        firstDay = till.days.lowerBound
        days = till.days.count
        self.bins = bins
        counts = [Double](repeating: 0, count: days * bins)
        let width = CalendarTime.day / Int64(bins)
        for order in till.orders {
            let day = Till.day(of: order.time)
            let ofDay = order.time - Int64(day) * CalendarTime.day
            counts[(day - firstDay) * bins + Int(ofDay / width)] += 1
        }
    }

    /// The days with orders, and the seconds from midnight of their orders.
    func times(_ till: Till) -> [(day: Int, times: [Double])] {
        var all: [(day: Int, times: [Double])] = []
        for order in till.orders {
            let day = Till.day(of: order.time)
            if all.last?.day != day - firstDay { all.append((day - firstDay, [])) }
            let ofDay = order.time - Int64(day) * CalendarTime.day
            all[all.count - 1].times.append(Double(ofDay) / Double(DurationText.second))
        }
        return all
    }

    /// The weekday of a day, counted from Monday, 0.
    func weekday(_ day: Int) -> Int { Weekday.number(of: firstDay + day) }

    func counts(on day: Int) -> ArraySlice<Double> { counts[day * bins..<(day + 1) * bins] }

    /// The orders of each day.
    var totals: [Double] { (0..<days).map { counts(on: $0).reduce(0, +) } }

    /// The orders of a day in the bins of a mask.
    func total(on day: Int, in mask: [Bool]) -> Double {
        var sum = 0.0
        for bin in 0..<bins where mask[bin] { sum += counts[day * bins + bin] }
        return sum
    }

    /// The number of days with an order in each bin.
    var busyDays: [Int] {
        var busy = [Int](repeating: 0, count: bins)
        for day in 0..<days {
            for bin in 0..<bins where counts[day * bins + bin] > 0 { busy[bin] += 1 }
        }
        return busy
    }

    var totalsByBin: [Double] {
        var sums = [Double](repeating: 0, count: bins)
        for index in counts.indices { sums[index % bins] += counts[index] }
        return sums
    }
}
