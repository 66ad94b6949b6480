import JuiceStand

// What must be true of any bytes that are given as a configuration. Asked by the tests of the package, and by
// `scripts/soak fuzz`.

/// Stops the program if reading `bytes` breaks a promise.
func checkConfiguration(_ bytes: [UInt8]) {
    do throws(ConfigurationError) {
        let settings = try StandConfiguration(bytes, source: "fuzzed.json").settings
        let text = settings.resolved().compact()
        let again = try StandConfiguration(Array(text.utf8), source: "resolved.json").settings
        precondition(again.resolved().compact() == text, "a resolved configuration resolves to another")
        precondition(again.fingerprint == settings.fingerprint, "a resolved configuration is another")
    } catch {
        switch error {
        case .invalid(let problems), .badTrace(let problems):
            precondition(!problems.isEmpty, "refused without a reason")
        case .unreadable(_, let reason): precondition(!reason.description.isEmpty, "refused without a reason")
        }
    }
}
