import EmbeddedFiles
import JuiceStand

/// The code that is measured for a wiring, as a complete program.
///
/// It is cut out of the very files that are compiled: the type that is measured, and what it needs. Each program posts
/// one sale to one observer.
package struct WiringCode {
    private let choice: WiringChoice
    private let observers: Int

    /// - Parameter observers: Some wirings are plainer with one.
    package init(_ choice: WiringChoice, observers: Int) {
        self.choice = choice
        self.observers = observers
    }

    /// A top-level declaration with its comment.
    private struct Declaration {
        var name: Substring
        var text: String
        /// Its words outside of comments.
        var words: Set<Substring>
    }

    private static let declarations: [Declaration] = [
        "Idiom.swift", "Calls.swift", "Closures.swift", "Centers.swift", "Values.swift", "QueueExecutor.swift",
    ].flatMap { file in
        // An empty line and a line that does not go on with the one before begin a declaration.
        let blocks = EmbeddedFile(file).text.split(separator: #/\n\n(?=[^\s}])/#)
        return blocks.compactMap { block -> Declaration? in
            let name = #/(?m)^(?:package |final |@\w+\s)*(?:class|struct|protocol|actor|extension) (\w+)/#
            guard let match = block.firstMatch(of: name) else { return nil }
            let text = block.replacing("package ", with: "")
            let code = block.replacing(#/\/\/.*/#, with: "")
            return Declaration(
                name: match.1, text: text.last == "\n" ? String(text) : text + "\n",
                words: Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }))
        }
    }

    /// The program; nil if the wiring can't have that number of observers.
    package var text: String? {
        guard let way = choice.visit(TypeName(), observers: (0..<observers).map { _ in SharedSum() }) else {
            return nil
        }
        var needed: Set<Substring> = [Substring(way.name), "Sale", "SaleObserver"]
        var added = true
        while added {
            let before = needed.count
            for declaration in Self.declarations where needed.contains(declaration.name) {
                needed.formUnion(declaration.words.filter { word in Self.declarations.contains { $0.name == word } })
            }
            added = needed.count > before
        }
        let make = way.isOpen ? "\(way.name)<Display>()" : "\(way.name)(\(observers == 1 ? "display" : "[display]"))"
        let modules = ["Dispatch", "Foundation", "NotificationBus", "Observation", "Synchronization"]
        return modules.map { "import \($0)\n" }.joined() + "\n"
            + Self.declarations.filter { needed.contains($0.name) }.map { $0.text + "\n" }.joined() + """
                final class Display: SaleObserver {
                    func note(_ sale: Sale) { print("sold", sale.order) }
                }

                @main
                struct Program {
                    static func main() {
                        let display = Display()
                        let till = \(make)
                        \(way.isOpen ? "let observation = till.add(display)" : "let observation = ()")
                        till.post(Sale(order: 1))
                        till.turn()
                        // Some observers hear it on another thread.
                        sleep(1)
                        withExtendedLifetime(observation) {}
                    }
                }

                """
    }
}

/// The name of the type that is measured, and whether observers come to it later.
private struct TypeName: IdiomVisitor {
    typealias Observer = SharedSum

    func visit<Way: Idiom>(_ way: Way, keys: Any) -> (name: String, isOpen: Bool) where Way.Observer == SharedSum {
        ("\(Way.self)".prefix { $0 != "<" }.description, way is any OpenIdiom)
    }
}
