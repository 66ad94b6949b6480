import JuiceStand
import Platform

// What must be true of any bytes that are given as a trace of real orders. Asked by the tests of the package, and by
// `scripts/soak fuzz`.

/// Stops the program if reading `bytes` breaks a promise; the first byte chooses the time format.
func checkTrace(_ bytes: [UInt8]) {
    let path = "/tmp/juicestand-fuzzed-trace-\(getpid())-\(UInt(bitPattern: pthread_self().hashValue))"
    defer { unsafe unlink(path) }
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let text = Array(bytes.dropFirst())
    precondition(unsafe write(file, text, text.count) == text.count, "no room for a trace")
    close(file)
    let times = [#""time": "t""#, #""time": "t+j""#, #""time": "t", "timeFormat": "%d.%m.%Y %H:%M""#]
    let time = times[Int(bytes.first ?? 0) % times.count]
    for (cups, unmapped) in [(#", "cups": "c""#, "cycle"), ("", "skip")] {
        let trace = #"{"file": "\#(path)", \#(time), "juice": "j"\#(cups), "unmapped": "\#(unmapped)"}"#
        let configuration = Array(#"{"customers": {"arrivals": {"trace": \#(trace)}}}"#.utf8)
        do throws(ConfigurationError) {
            let settings = try StandConfiguration(configuration, source: "trace.json").settings
            guard case .trace(let read) = settings.customers.arrivals else { preconditionFailure("no trace was read") }
            precondition(read.lines.allSatisfy { $0.time >= .zero && $0.cups ?? 1 > 0 }, "a line is out of its range")
            precondition(zip(read.lines, read.lines.dropFirst()).allSatisfy { $0.time <= $1.time }, "not in order")
        } catch {
            precondition(!"\(error)".isEmpty, "refused without a reason")
        }
    }
}
