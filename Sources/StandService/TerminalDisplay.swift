/// A live display that owns the terminal while a stand runs.
package protocol TerminalDisplay: Sendable {
    /// The signals it handles itself, such as a change of the window's size.
    var signals: [Int32] { get }

    /// Takes the terminal and starts drawing.
    func begin()

    /// Restores the terminal.
    func end()

    /// Handles one of ``signals``.
    ///
    /// - Returns: Whether the signal is one of them.
    func hear(_ signal: Int32) -> Bool
}
