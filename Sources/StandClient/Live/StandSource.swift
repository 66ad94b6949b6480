/// The stand behind a live display, in this process or another one.
package protocol StandSource: Sendable {
    /// The news since the last call. Never waits.
    func news() -> [StandNews]

    /// Makes a change. Replies on any thread: why it was refused, or nil once it is made. An instant comes as news.
    func make(_ wish: LiveWish, reply: @escaping @Sendable (LiveRefusal?) -> Void)
}

/// News of a stand for its live display.
package enum StandNews: Sendable {
    case status(StatusDocument)
    /// The stock's marks and the menu, when they may have changed.
    case shelves(stock: StockDocument, menu: MenuDocument)
    /// The status of an instant that has passed.
    case instant(StatusDocument)
    case event(LedgerEvent)
    /// The number of events that were skipped.
    case skipped(Int)
    case away(String)
    case back
    /// All later news is about another stand.
    case otherStand
    /// The last news.
    case ended
}

/// A request of the display's user.
package enum LiveWish: Equatable, Sendable {
    case order(juice: String, cups: Int)
    /// Adds pieces, or takes them away if the number is negative.
    case restock(fruit: String, pieces: Int)
    /// Multiplies the arrival rate.
    case rate(Double)
    /// Stand seconds per wall second.
    case speed(Double)
    case pause
    case resume
    /// Shows the stand after the event of that number.
    case look(Int)
    case quit
}

/// Why a request of the display's user was refused.
package enum LiveRefusal: Sendable {
    case problem(ProblemDocument)
    /// The stand does not answer; the reason.
    case noAnswer(String)
}

/// Why a stand does not listen where users look for it.
package enum ListenerWarning: Equatable, Sendable {
    /// Another program has the default port.
    case portTaken(UInt16, instead: UInt16)
    /// Another stand has the default socket.
    case socketTaken(socket: String)
    /// Another user has the folder of the default socket.
    case folderTaken(socket: String)
}
