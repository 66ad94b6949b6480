import StandExperiments
import Testing
import TextFormats

/// Objectives and constraints as text.
struct MetricSumTests {
    private static let metrics = ["cost.total", "queue.hours", "stock.passion-fruit.mean", "stock.passion", "a", "a.b"]

    @Test(arguments: [
        ("cost.total", "cost.total"), ("cost.total+15*queue.hours", "cost.total + 15*queue.hours"),
        (" - cost.total - 0.5 * queue.hours ", "-cost.total - 0.5*queue.hours"),
        ("stock.passion-fruit.mean-stock.passion", "stock.passion-fruit.mean - stock.passion"),
        ("1e3*a + a.b", "1000*a + a.b"),
    ])
    func `a sum is read with its prices`(text: String, sum: String) throws {
        #expect(try MetricSum(text, metrics: Self.metrics).description == sum)
    }

    @Test(arguments: [
        ("cost.totl", 1, "unknown metric \"cost.totl\"; did you mean \"cost.total\"?"),
        ("cost.total + ", 14, "expected a metric, found the end"),
        ("", 1, "expected a metric, found the end"),
        ("15 queue.hours", 4, "expected * between a price and its metric, found \"queue.hours\""),
        ("15*", 4, "expected a metric, found the end"),
        ("1.2.3*a", 1, "expected a price such as 15 or 0.5, found \"1.2.3\""),
        ("a a", 3, "expected + or -, found \"a\""),
        ("a*2", 2, "expected + or -, found \"*2\""),
    ])
    func `a wrong sum is refused with the place`(text: String, column: Int, message: String) {
        let problem = #expect(throws: TextProblem.self) { try MetricSum(text, metrics: Self.metrics) }
        #expect(problem?.place.column == column && problem?.message == message)
    }

    @Test(arguments: [
        ("a<5", "a < 5"), ("a - 0.01*a.b <= 0", "a - 0.01*a.b <= 0"), ("queue.hours>=1.5", "queue.hours >= 1.50000"),
    ])
    func `a constraint is read`(text: String, constraint: String) throws {
        #expect(try Constraint(text, metrics: Self.metrics).description == constraint)
    }

    @Test(arguments: [
        ("a", 2, "expected <, <=, > or >= and a number, such as wait.p95<60"),
        ("a==5", 5, "expected <, <=, > or >= and a number, such as wait.p95<60"),
        ("a<", 3, "expected a number, found the end"), ("a<x", 3, "expected a number, found \"x\""),
        ("queue.hour<1", 1, "unknown metric \"queue.hour\"; did you mean \"queue.hours\"?"),
    ])
    func `a wrong constraint is refused with the place`(text: String, column: Int, message: String) {
        let problem = #expect(throws: TextProblem.self) { try Constraint(text, metrics: Self.metrics) }
        #expect(problem?.place.column == column)
        #expect(problem?.message == message)
    }
}
