import JuiceStand
import WiringComparison

/// Small programs in one wiring's idiom, for the compiler to accept or refuse.
///
/// Each line of the text is a program under the name of a property; an indented line continues it. If every
/// `«right|tried»` in it is read as `right`, the program compiles. Read as `tried`, it shows whether the property
/// holds. `poster` and `observer` are two halves of one program. A program named `isolation` stands for two, of the
/// main actor and of any actor: `§` is how the observer is declared, and `@@` the main actor's attribute.
struct Programs: Sendable {
    /// The programs of each property; one may need several.
    private(set) var trials: [(property: Property, text: String)] = []
    private(set) var poster = ""
    private(set) var observer = ""

    init(_ text: String) {
        var entries: [(name: String, text: String)] = []
        for line in text.split(separator: "\n") {
            if line.first == " " {
                entries[entries.count - 1].text += "\n" + line
            } else if let colon = line.firstIndex(of: ":") {
                entries.append((String(line[..<colon]), String(line[line.index(after: colon)...])))
            }
        }
        for (name, text) in entries {
            switch name {
            case "poster": poster = text
            case "observer": observer = text
            case "isolation":
                for (row, kind, attribute) in [
                    (Property.keepsTheMainActor, "@MainActor final class", "@MainActor"),
                    (.callersIsolationIsKept, "actor", ""),
                ] { trials.append((row, text.replacing("§", with: kind).replacing("@@", with: attribute))) }
            default:
                guard let property = Property(rawValue: name) else { preconditionFailure("\(name) is not a property") }
                trials.append((property, text))
            }
        }
    }

    /// A text read as a program: with the first or the second word of each mark.
    static func read(_ text: String, tried: Bool) -> String {
        text.replacing(#/«([^|»]*)\|([^»]*)»/#) { tried ? $0.2 : $0.1 }
    }
}

let directCall = """
    poster: final class Stand { let display: Display; init(_ d: Display) { display = d }; func sell() { \
    display.sold(1) } }
    observer: final class Display { func sold(_ cups: Int) {} }
    nameAndPayloadCheckedByCompiler: final class D { func sold(_ cups: Int) {} }; func f(_ d: D) { d.«sold|slod»(1) }
    nameAndPayloadCheckedByCompiler: final class D { func sold(_ cups: Int) {} }; func f(_ d: D) { d.sold(«1|"1"») }
    everyObserverHandlesEveryEvent: final class D { func sold() {}; «func low() {}|» }; func f(_ d: D) { d.sold(); \
    d.low() }
    forgottenWiringIsAnError: final class D {}; final class S { let d: D; init(_ d: D) { self.d = d } }; func f() { \
    _ = S(«D()|») }
    acceptsNonSendablePayload: final class Cup { var full = true }; final class D { func sold(_ c: «Int|Cup») {} }
        func f(_ d: D, _ c: «Int|Cup») { d.sold(c) }
    acceptsInoutPayload: final class D { func sold(_ c: «Int|inout Int») {} }; func f(_ d: D) { var c = 1; \
    d.sold(«c|&c»); c += 1 }
    acceptsNoncopyablePayload: struct Cup: ~Copyable {}; final class D { func sold(_ c: borrowing «Int|Cup») {} }
        func f(_ d: D) { d.sold(«1|Cup()») }
    keepsTheMainActor: «|@MainActor» final class D { var cups = 0; func sold(_ c: Int) { cups += c } }
        «|@MainActor» func f(_ d: D) { d.sold(1) }
    callersIsolationIsKept: «final class|actor» D { var cups = 0; func sold(_ c: Int) { cups += c } }
        func f(_ d: «|isolated» D) { d.sold(1) }
    answersBack: final class D { func sold() -> «Void|Int» { «()|1» } }; func f(_ d: D) { \
    let left: «Void|Int» = d.sold(); _ = left }
    anyObserverCanVeto: final class D { func maySell() -> «Void|Bool» { «()|true» } }
        func f(_ list: [D]) { let answers: [«Void|Bool»] = list.map { $0.maySell() }; _ = answers }
    handlersCanBeAwaited: final class D: Sendable { func sold() «|async» {} }; func f(_ d: D) async { \
    «|await» d.sold() }

    """

let weakDelegate = """
    forgottenWiringIsAnError: protocol Observer: AnyObject {}; final class D: Observer {}
        final class S { unowned let delegate: any Observer; init(_ d: any Observer) { delegate = d } }
        func f(_ d: D) { _ = S(«d|») }
    poster: protocol Observer: AnyObject { func sold(_ cups: Int) }
        final class Stand { weak var delegate: (any Observer)?; func sell() { delegate?.sold(1) } }

    """

let weakDelegates = """
    forgottenWiringIsAnError: protocol Observer: AnyObject {}; final class D: Observer {}
        final class S { var delegates: [any Observer] = [] }; func f(_ s: S, _ d: D) { «s.delegates.append(d)|» }
    poster: protocol Observer: AnyObject { func sold(_ cups: Int) }
        final class Weak { weak var delegate: (any Observer)?; init(_ d: any Observer) { delegate = d } }
        final class Stand { var list: [Weak] = []; func sell() { for entry in list { entry.delegate?.sold(1) } } }
    anyObserverCanVeto: protocol Observer: AnyObject { func maySell() -> «Void|Bool» }
        func f(_ list: [any Observer]) { let answers: [«Void|Bool»] = list.map { $0.maySell() }; _ = answers }

    """

/// For one delegate and for a list of them: the compiler does not care how the poster came by one.
let delegates = """
    observer: final class Display: Observer { func sold(_ cups: Int) {} }
    nameAndPayloadCheckedByCompiler: protocol Observer: AnyObject { func sold(_ cups: Int) }
        func f(_ d: (any Observer)?) { d?.«sold|slod»(1) }
    nameAndPayloadCheckedByCompiler: protocol Observer: AnyObject { func sold(_ cups: Int) }
        func f(_ d: (any Observer)?) { d?.sold(«1|"1"») }
    everyObserverHandlesEveryEvent: protocol Observer: AnyObject { func sold(); func low() }
        final class D: Observer { func sold() {}; «func low() {}|» }
    acceptsNonSendablePayload: final class Cup { var full = true }; protocol Observer: AnyObject { \
    func sold(_ c: «Int|Cup») }
        func f(_ d: (any Observer)?, _ c: «Int|Cup») { d?.sold(c) }
    acceptsInoutPayload: protocol Observer: AnyObject { func sold(_ c: «Int|inout Int») }
        func f(_ d: (any Observer)?) { var c = 1; d?.sold(«c|&c»); c += 1 }
    acceptsNoncopyablePayload: struct Cup: ~Copyable {}; protocol Observer: AnyObject { \
    func sold(_ c: borrowing «Int|Cup») }
        func f(_ d: (any Observer)?) { d?.sold(«1|Cup()») }
    isolation: protocol Observer: AnyObject { func sold(_ c: Int) }
        «final class|§» D: «|@@» Observer { var cups = 0; func sold(_ c: Int) { cups += c } }
    answersBack: protocol Observer: AnyObject { func sold() -> «Void|Int» }
        func f(_ d: (any Observer)?) { let left: («Void|Int»)? = d?.sold(); _ = left }
    handlersCanBeAwaited: protocol Observer: AnyObject, Sendable { func sold() «|async» }
        func f(_ d: (any Observer)?) async { «|await» d?.sold() }

    """

let forgottenInAList = """
    final class S { var handlers: [(Int) -> Void] = [] }; func f(_ s: S) { «s.handlers.append { print($0) }|» }
    """

/// The closure is handed over when the poster is made.
let forgottenAtInit = """
    final class S { let handler: (Int) -> Void; init(_ h: @escaping (Int) -> Void) { handler = h } }
        func f() { _ = S(«{ print($0) }|») }
    """

/// - Parameters:
///   - kind: `@Sendable ` for a list that several threads may use. A trial posts on another thread then.
///   - forgotten: How the wiring is made, in its own form that the compiler checks best.
func closures(_ kind: String, _ list: String, forgotten: String = forgottenInAList) -> String {
    let otherThread = kind.isEmpty ? "" : "Task.detached "
    return """
        poster: final class Stand { let lock = NSLock(); var handlers: [\(kind)(Int) -> Void] = []
            func sell() { for handler in \(list) { handler(1) } } }
        observer: final class Display: Sendable { func sold(_ cups: Int) {} }
            func wire(_ stand: Stand, _ display: Display) { stand.handlers.append { display.sold($0) } }
        nameAndPayloadCheckedByCompiler: final class S { var handlers: [\(kind)(Int) -> Void] = [] }
            func f(_ s: S) { s.«handlers|hanlders».append { print($0) } }
        nameAndPayloadCheckedByCompiler: final class S { var handlers: [\(kind)(Int) -> Void] = [] }
            func f(_ s: S) { for handler in s.handlers { handler(«1|"1"») } }
        everyObserverHandlesEveryEvent: final class S { var sold: [\(kind)() -> Void] = []; \
        var low: [\(kind)() -> Void] = [] }
            func f(_ s: S) { s.sold.append { print(1) }; «s.low.append { print(2) }|» }
        forgottenWiringIsAnError: \(forgotten)
        acceptsNonSendablePayload: final class Cup { var full = true }
            func f(_ handlers: [\(kind)(«Int|Cup») -> Void], _ c: «Int|Cup») { \(otherThread){ for handler in \
        handlers { handler(c) } }\(kind.isEmpty ? "()" : ""); _ = c }
        acceptsInoutPayload: func f(_ handlers: [\(kind)(«Int|inout Int») -> Void]) { var c = 1; for h in handlers { \
        h(«c|&c») }; c += 1 }
        acceptsNoncopyablePayload: struct Cup: ~Copyable {}
            func f(_ handlers: [\(kind)(borrowing «Int|Cup») -> Void]) { for handler in handlers { \
        handler(«1|Cup()») } }
        isolation: final class S { var handlers: [\(kind)(Int) -> Void] = [] }
            «final class|§» D { «let|var» cups = 0; func f(_ s: S) { s.handlers.append { \
        «print($0)|self.cups += $0» } } }
        answersBack: func f(_ handlers: [\(kind)() -> «Void|Int»]) { for handler in handlers { \
        let left: «Void|Int» = handler(); _ = left } }
        anyObserverCanVeto: func f(_ list: [\(kind)() -> «Void|Bool»]) { let answers: [«Void|Bool»] = list.map { \
        $0() }; _ = answers }
        handlersCanBeAwaited: func f(_ handlers: [@Sendable () «|async» -> Void]) async { for handler in handlers { \
        «|await» handler() } }

        """
}

let typedCenter = """
    poster: struct Sold: TypedNotification { var cups = 1 }
        struct Stand { let center: TypedNotificationCenter; func sell() { center.post(Sold()) } }
    observer: final class Display: Sendable { func sold(_ cups: Int) {} }
        func wire(_ c: TypedNotificationCenter, _ display: Display) -> ObservationToken { c.observe(Sold.self) { \
    display.sold($0.cups) } }
    nameAndPayloadCheckedByCompiler: struct Sold: TypedNotification { var cups = 1 }
        func f(_ c: TypedNotificationCenter) { c.post(«Sold|Slod»()) }
    nameAndPayloadCheckedByCompiler: struct Sold: TypedNotification { var cups = 1 }
        func f(_ c: TypedNotificationCenter) -> ObservationToken { c.observe(Sold.self) { print($0.«cups|cusp») } }
    everyObserverHandlesEveryEvent: struct Sold: TypedNotification {}; struct Low: TypedNotification {}
        func f(_ c: TypedNotificationCenter) { _ = c.observe(Sold.self) { print($0) }; «_ = c.observe(Low.self) { \
    print($0) }; |» c.post(Low()) }
    forgottenWiringIsAnError: struct Sold: TypedNotification {}
        func f(_ c: TypedNotificationCenter) { «_ = c.observe(Sold.self) { print($0) }; |» c.post(Sold()) }
    acceptsNonSendablePayload: final class Cup { var full = true }; struct Sold: TypedNotification { \
    var cup: «Int|Cup» }
    acceptsInoutPayload: struct Sold: TypedNotification { var cups = 1 }
        func f(_ c: TypedNotificationCenter) { _ = c.observe(Sold.self) { «print($0)|$0.cups += 1» } }
    acceptsNoncopyablePayload: struct Sold: TypedNotification«|, ~Copyable» {}
    keepsTheMainActor: struct Sold: TypedNotification {}; @MainActor final class D { «let|var» cups = 0
        func f(_ c: TypedNotificationCenter) { _ = c.observeOnMainActor(Sold.self) { \
    _ in «print(1)|self.cups += 1» } } }
    callersIsolationIsKept: struct Sold: TypedNotification {}; «final class|actor» D { «let|var» cups = 0
        func f(_ c: TypedNotificationCenter) { _ = c.observe(Sold.self, isolation: «nil|self») { \
    _ in «print(1)|self.cups += 1» } } }
    answersBack: struct Left: TypedQuestion { typealias Answer = «Void|Int» }
        func f(_ c: TypedNotificationCenter) throws { let left: «Void|Int» = try c.ask(Left()); _ = left }
    anyObserverCanVeto: struct Sold: TypedNotification {}
        func f(_ c: TypedNotificationCenter) { let answers: «Void|[Bool]» = c.post(Sold()); _ = answers }
    handlersCanBeAwaited: struct Sold: TypedNotification {}; static func show() «|async» {}
        func f(_ c: TypedNotificationCenter) { _ = c.observe(Sold.self) { _ in «|await» Self.show() } }

    """

let namedCenter = """
    poster: struct Stand { let center: NotificationCenter; func sell() { \
    center.post(name: .init("sold"), object: nil, userInfo: ["cups": 1]) } }
    observer: final class Display: Sendable { func sold(_ cups: Int) {} }
        func wire(_ c: NotificationCenter, _ display: Display) -> any NSObjectProtocol {
            c.addObserver(forName: .init("sold"), object: nil, queue: nil) { \
    display.sold($0.userInfo?["cups"] as? Int ?? 0) } }
    nameAndPayloadCheckedByCompiler: func f(_ c: NotificationCenter) { c.post(name: .init("«sold|slod»"), object: nil) }
    nameAndPayloadCheckedByCompiler: func f(_ c: NotificationCenter) -> Any {
        c.addObserver(forName: .init("sold"), object: nil, queue: nil) { \
    print($0.userInfo?["«cups|cusp»"] as? Int ?? 0) } }
    everyObserverHandlesEveryEvent: func f(_ c: NotificationCenter) -> [Any] {
        [c.addObserver(forName: .init("sold"), object: nil, queue: nil) { print($0) },
        «c.addObserver(forName: .init("low"), object: nil, queue: nil) { print($0) }|»] }
    forgottenWiringIsAnError: func f(_ c: NotificationCenter) {
        «_ = c.addObserver(forName: .init("sold"), object: nil, queue: nil) { print($0) }; \
    |» c.post(name: .init("sold"), object: nil) }
    acceptsNonSendablePayload: final class Cup { var full = true }
        func f(_ c: NotificationCenter, _ cup: «Int|Cup») { \
    c.post(name: .init("sold"), object: nil, userInfo: ["cup": cup]) }
    acceptsInoutPayload: func f(_ c: NotificationCenter) -> Any { \
    c.addObserver(forName: .init("sold"), object: nil, queue: nil) { note in
        «print(note)|note.userInfo?["cups"] = 2» } }
    acceptsNoncopyablePayload: struct Cup: ~Copyable {}
        func f(_ c: NotificationCenter) { c.post(name: .init("sold"), object: nil, userInfo: ["cup": «1|Cup()»]) }
    isolation: «final class|§» D { «let|var» cups = 0; func f(_ c: NotificationCenter) -> Any {
        c.addObserver(forName: .init("sold"), object: nil, queue: .main) { _ in «print(1)|self.cups += 1» } } }
    answersBack: func f(_ c: NotificationCenter) { let left: «Void|Int» = c.post(name: .init("sold"), object: nil); \
    _ = left }
    anyObserverCanVeto: func f(_ c: NotificationCenter) { \
    let answers: «Void|[Bool]» = c.post(name: .init("sold"), object: nil); _ = answers }
    handlersCanBeAwaited: static func show() «|async» {}; func f(_ c: NotificationCenter) -> Any {
        c.addObserver(forName: .init("sold"), object: nil, queue: nil) { _ in «|await» Self.show() } }

    """

/// The two kinds of messages differ in their protocol and in who may post them.
func messages(_ kind: String, _ isolation: String) -> String {
    """
    poster: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter; var cups = 1 }
        struct Stand { let center: NotificationCenter; \(isolation)func sell() { center.post(Sold()) } }
    observer: final class Display: Sendable { func sold(_ cups: Int) {} }
        func wire(_ c: NotificationCenter, _ d: Display) -> NotificationCenter.ObservationToken { \
    c.addObserver(for: Sold.self) { d.sold($0.cups) } }
    nameAndPayloadCheckedByCompiler: struct Sold: NotificationCenter.\(kind) { \
    typealias Subject = NotificationCenter; var cups = 1 }
        \(isolation)func f(_ c: NotificationCenter) { c.post(«Sold|Slod»()) }
    nameAndPayloadCheckedByCompiler: struct Sold: NotificationCenter.\(kind) { \
    typealias Subject = NotificationCenter; var cups = 1 }
        func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { print($0.«cups|cusp») } }
    everyObserverHandlesEveryEvent: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter }
        struct Low: NotificationCenter.\(kind) { typealias Subject = NotificationCenter }
        func f(_ c: NotificationCenter) -> [Any] { [c.addObserver(for: Sold.self) { \
    print($0) }, «c.addObserver(for: Low.self) { print($0) }|»] }
    forgottenWiringIsAnError: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter }
        \(isolation)func f(_ c: NotificationCenter) { «_ = c.addObserver(for: Sold.self) { print($0) }; \
    |» c.post(Sold()) }
    acceptsNonSendablePayload: final class Cup { var full = true }
        struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter; var cup: «Int|Cup» }
    acceptsInoutPayload: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter; \
    var cups = 1 }
        func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { «print($0)|$0.cups += 1» } }
    acceptsNoncopyablePayload: struct Sold: NotificationCenter.\(kind)«|, ~Copyable» { \
    typealias Subject = NotificationCenter }
    isolation: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter }
        «final class|§» D { «let|var» cups = 0; func f(_ c: NotificationCenter) -> Any { \
    c.addObserver(for: Sold.self) { «|@@» _ in «print(1)|self.cups += 1» } } }
    answersBack: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter }
        \(isolation)func f(_ c: NotificationCenter) { let left: «Void|Int» = c.post(Sold()); _ = left }
    anyObserverCanVeto: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter }
        \(isolation)func f(_ c: NotificationCenter) { let answers: «Void|[Bool]» = c.post(Sold()); _ = answers }
    handlersCanBeAwaited: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter }; \
    static func show() «|async» {}
        func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { _ in «|await» Self.show() } }

    """
}

let trackedProperty = """
    poster: @Observable final class Stand { var cups = 0; func sell() { cups += 1 } }
    observer: final class Display: Sendable { func sold(_ cups: Int) {} }
        func wire(_ s: Stand, _ d: Display) { withObservationTracking { d.sold(s.cups) } onChange: { print("again") } }
    nameAndPayloadCheckedByCompiler: @Observable final class S { var cups = 0 }; func f(_ s: S) { s.«cups|cusp» = 1 }
    nameAndPayloadCheckedByCompiler: @Observable final class S { var cups = 0 }; func f(_ s: S) { s.cups = «1|"1"» }
    everyObserverHandlesEveryEvent: @Observable final class S { var cups = 0; var low = false }
        func f(_ s: S) { withObservationTracking { print(s.cups, «s.low|») } onChange: { print("again") } }
    forgottenWiringIsAnError: @Observable final class S { var cups = 0 }
        func f(_ s: S) { «withObservationTracking { print(s.cups) } onChange: { print("again") }; |» s.cups = 1 }
    acceptsNonSendablePayload: final class Cup { var full = true }; @Observable final class S { \
    var cup: «Int|Cup?» = «0|nil» }
    acceptsInoutPayload: @Observable final class S { var cups = 0 }
        func f(_ s: S) { withObservationTracking { print(s.cups) } onChange: { «print("again")|s.cups += 1» } }
    acceptsNoncopyablePayload: struct Cup: ~Copyable {}; @Observable final class S { var cup: «Int|Cup» = «1|Cup()» }
    isolation: @Observable final class S { var cups = 0 }; «final class|§» D { «let|var» cups = 0
        func f(_ s: S) { withObservationTracking { «print(s.cups)|self.cups += s.cups» } onChange: { print(1) } } }
    answersBack: @Observable final class S { var cups = 0 }; func f(_ s: S) { let left: «Void|Int» = (s.cups = 1); \
    _ = left }
    anyObserverCanVeto: @Observable final class S { var cups = 0 }; func f(_ s: S) { \
    let answers: «Void|[Bool]» = (s.cups = 1); _ = answers }
    handlersCanBeAwaited: @Observable final class S { var cups = 0 }; static func show() «|async» {}
        func f(_ s: S) { withObservationTracking { print(s.cups) } onChange: { «|await» Self.show() } }

    """

/// Programs of a task that reads a sequence of `Int`.
///
/// - Parameters:
///   - poster: Declares `Stand` and what it needs.
///   - sequence: The sequence that an observer reads, from `c`.
///   - post: Posts `1` to `c`, and what this returns.
private func sequences(
    _ poster: String, _ parameter: String, _ sequence: String, post: String, returns: String = "Void"
) -> String {
    """
    poster: \(poster)
    observer: final class Display: Sendable { func sold(_ cups: Int) {} }
        func wire(_ c: \(parameter), _ d: Display) { Task { for await x in \(sequence) { d.sold(x.cups) } } }
    everyObserverHandlesEveryEvent: \(poster)
        func f(_ c: \(parameter)) { «Task { for await x in \(sequence) { print(x) } }; |»\(post) }
    forgottenWiringIsAnError: \(poster)
        func f(_ c: \(parameter)) { \(post); «Task { for await x in \(sequence) { print(x) } }|» }
    acceptsInoutPayload: \(poster)
        func f(_ c: \(parameter)) async { for await x in \(sequence) { «print(x)|x.cups += 1» } }
    isolation: \(poster)
        «final class|§» D { «let|var» cups = 0
        func f(_ c: \(parameter)) { Task { for await x in \(sequence) { «print(x)|self.cups += x.cups» } } } }
    answersBack: \(poster)
        func f(_ c: \(parameter)) { let left: «\(returns)|Int» = (\(post)); _ = left }
    anyObserverCanVeto: \(poster)
        func f(_ c: \(parameter)) { let answers: «\(returns)|[Bool]» = (\(post)); _ = answers }
    handlersCanBeAwaited: \(poster)
        static func show() «|async» {}; func f(_ c: \(parameter)) async { for await _ in \(sequence) { \
    «|await» Self.show() } }

    """
}

let streams =
    sequences(
        "struct Sold { var cups = 1 }; struct Stand { let c: AsyncStream<Sold>.Continuation, s: AsyncStream<Sold> }",
        "Stand", "c.s", post: "c.c.yield(Sold())", returns: "AsyncStream<Sold>.Continuation.YieldResult") + """
        nameAndPayloadCheckedByCompiler: struct Sold { var cups = 1 }
            func f(_ c: AsyncStream<Sold>.Continuation) { c.yield(«Sold|Slod»()) }
        nameAndPayloadCheckedByCompiler: struct Sold { var cups = 1 }
            func f(_ c: AsyncStream<Sold>) async { for await x in c { print(x.«cups|cusp») } }
        acceptsNonSendablePayload: final class Cup { var full = true }
            func f(_ streams: [AsyncStream<«Int|Cup»>.Continuation], _ c: «Int|Cup») { for stream in streams { \
        stream.yield(c) } }
        acceptsNoncopyablePayload: struct Cup: ~Copyable {}; func f(_ stream: AsyncStream<«Int|Cup»>) {}

        """

let messageSequence =
    sequences(
        "struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter; var cups = 1 }",
        "NotificationCenter", "c.messages(for: Sold.self)", post: "c.post(Sold())") + """
        nameAndPayloadCheckedByCompiler: struct Sold: NotificationCenter.AsyncMessage { typealias Subject = \
        NotificationCenter; var cups = 1 }
            func f(_ c: NotificationCenter) async { for await x in c.messages(for: «Sold|Slod».self) { print(x) } }
        nameAndPayloadCheckedByCompiler: struct Sold: NotificationCenter.AsyncMessage { typealias Subject = \
        NotificationCenter; var cups = 1 }
            func f(_ c: NotificationCenter) async { for await x in c.messages(for: Sold.self) { print(x.«cups|cusp») } }
        acceptsNonSendablePayload: final class Cup { var full = true }
            struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter; var cup: «Int|Cup» }
        acceptsNoncopyablePayload: struct Sold: NotificationCenter.AsyncMessage«|, ~Copyable» { typealias Subject = \
        NotificationCenter }

        """

let observedValues =
    sequences(
        "struct Sold { var cups = 1 }; @MainActor @Observable final class Stand { var last = Sold() }",
        "Stand", "Observations({ @MainActor in c.last })", post: "Task { @MainActor in c.last = Sold() }",
        returns: "Task<Void, Never>") + """
        nameAndPayloadCheckedByCompiler: @MainActor @Observable final class S { var cups = 0 }
            func f(_ s: S) async { for await x in Observations({ @MainActor in s.«cups|cusp» }) { print(x) } }
        nameAndPayloadCheckedByCompiler: @MainActor @Observable final class S { var cups = 0 }
            @MainActor func f(_ s: S) { s.cups = «1|"1"» }
        acceptsNonSendablePayload: final class Cup { var full = true }
            @MainActor @Observable final class S { var cup: «Int|Cup» = «0|Cup()» }
            func f(_ s: S) async { for await x in Observations({ @MainActor in s.cup }) { print(x) } }
        acceptsNoncopyablePayload: struct Cup: ~Copyable {}; @Observable final class S { \
        var cup: «Int|Cup» = «1|Cup()» }

        """

extension WiringChoice {
    /// The programs that the compiler is asked about.
    var programs: Programs {
        switch self {
        case .direct: Programs(directCall)
        case .delegate: Programs(weakDelegate + delegates)
        case .multicastDelegate: Programs(weakDelegates + delegates)
        case .closure: Programs(closures("", "handlers", forgotten: forgottenAtInit))
        // To the compiler, a closure in a box is a closure.
        case .closureLocked, .boxesLocked, .subject: Programs(closures("@Sendable ", "lock.withLock { handlers }"))
        case .notification: Programs(typedCenter)
        case .foundationNotification: Programs(namedCenter)
        case .foundationMessage: Programs(messages("AsyncMessage", ""))
        case .foundationMessages: Programs(messageSequence)
        case .foundationMessageMain: Programs(messages("MainActorMessage", "@MainActor "))
        case .observation: Programs(trackedProperty)
        case .observations: Programs(observedValues)
        case .asyncStream: Programs(streams)
        default: preconditionFailure("there are no programs of \(self)")
        }
    }
}
