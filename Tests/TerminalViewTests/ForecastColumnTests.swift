import JuiceStand
import StandClient
import TerminalView
import Testing
import TextFormats

/// The column of the live display that says when fruit runs out.
struct ForecastColumnTests {
    private let configuration = """
        {"fruits": {"banana": {"initial": 60}, "kiwi": {"initial": 9}, "ice": {"initial": "unlimited"}},
         "menu": {"banana juice": {"recipe": {"banana": 2, "ice": 1}}}, "customers": {"arrivals": {"renewal": 60}}}
        """

    /// The rows of the stock after ten minutes.
    private func rows(forecast: JSONValue, columns: Int) throws -> [String] {
        try lines(forecast: forecast, columns: columns).filter { line in
            line.contains(#/^ ([^:\s]+ +)?(banana|kiwi|ice) /#)
        }
    }

    private func lines(forecast: JSONValue, columns: Int) throws -> [String] {
        let stand = try SimulatedStand(configuration)
        var display = LiveDisplay(StandView(), .unicode)
        display.take(stand.shelves)
        for news in stand.news(until: 600) {
            guard case .status(let status) = news else {
                display.take(news)
                continue
            }
            display.take(.status(status.with(\.forecast, StatusDocument.Outlook(json: forecast))))
        }
        _ = display.frame(at: 0, size: TerminalScreen.Size())
        return display.lines(.init(columns: columns, rows: 24)).map(\.text)
    }

    private let forecast: JSONValue = [
        "at": 590, "horizon": 14990,
        "fruits": [
            "banana": ["probability": .number(0.97), "p05": 1500, "p50": 1800, "p95": 2100],
            "kiwi": ["probability": .number(0.1), "p05": 9000, "p50": 9100, "p95": 9200],
        ],
    ]

    @Test(arguments: [80, 160]) func `a forecast says when fruit runs out`(columns: Int) throws {
        let rows = try rows(forecast: forecast, columns: columns)
        #expect(rows.count == 3)
        #expect(
            rows[0].contains("short in 20 min") && rows[1].contains("lasts") && !rows[2].contains("lasts"), "\(rows)")
        for row in rows { #expect(TextWidth.columns(of: row) <= columns, "\(row)") }
    }

    @Test(arguments: [60, 80, 160]) func `the age of the forecast is shown`(columns: Int) throws {
        #expect(try lines(forecast: forecast, columns: columns)[1].contains(" forecast 10 s old "))
        #expect(try !lines(forecast: .null, columns: columns)[1].contains("forecast"))
    }

    @Test func `without a forecast or room there is no column`() throws {
        for rows in [try rows(forecast: .null, columns: 80), try rows(forecast: forecast, columns: 40)] {
            #expect(!rows.contains { $0.contains("lasts") || $0.contains("short in") }, "\(rows)")
        }
    }
}
