extension WiringChoice {
    /// Foundation's typed messages for the main actor: posted on it alone, and delivered at once.
    ///
    /// A stand runs on a queue of its own, so there is no wiring of them. The comparison has their idiom.
    package static let foundationMessageMain = WiringChoice(
        "foundation-message-main", "Foundation's MainActorMessage: typed, main actor alone",
        refusal: "its messages can be posted from the main actor alone, and a stand runs on a queue of its own"
    ) { preconditionFailure("no stand can run with messages of the main actor") }
}
