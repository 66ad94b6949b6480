extension SimulationResult {
    /// A page that stands alone.
    package func html(_ verdicts: [Verdict]) -> String { "" }
}
