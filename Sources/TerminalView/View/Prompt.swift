/// A line of input at the bottom of the screen.
struct Prompt: Equatable, Sendable {
    enum Kind: Hashable, Sendable {
        case filter
        case order
        case restock
        case take
    }

    let kind: Kind
    var text = ""
    /// The former filter, which Esc restores.
    var before = ""
    /// The index of the earlier input that is shown, counted from the latest, which is 1; 0 shows the typed text.
    private var back = 0
    private var typed = ""

    init(_ kind: Kind, text: String = "") {
        self.kind = kind
        self.text = text
        before = text
    }

    /// Goes to earlier input, or to later input if `step` is negative.
    ///
    /// - Parameter inputs: The latest is the last.
    mutating func recall(_ step: Int, of inputs: [String]) {
        if back == 0 { typed = text }
        back = max(0, min(back + step, inputs.count))
        text = back == 0 ? typed : inputs[inputs.count - back]
    }

    mutating func edit(_ text: String) {
        self.text = text
        back = 0
    }
}
