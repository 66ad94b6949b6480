/// Small programs in one wiring's idiom, for the compiler to accept or refuse.
///
/// Each line of the text is a program under the name of a property; an indented line continues it. If every
/// `«right|tried»` in it is read as `right`, the program compiles. Read as `tried`, it shows whether the property
/// holds. `poster` and `observer` are two halves of one program, and their `«name|other»` is the name of the handler.
struct Programs {
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
    observer: final class Display { func «sold|show»(_ cups: Int) {} }
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
    callersIsolationIsKept: «|@MainActor» final class D { var cups = 0; func sold(_ c: Int) { cups += c } }
        «|@MainActor» func f(_ d: D) { d.sold(1) }
    deliversAtOnceOnTheMainActor: «|@MainActor» final class D { func sold() {} }; «|@MainActor» func f(_ d: D) { \
    d.sold() }
    answersBack: final class D { func sold() -> «Void|Int» { «()|1» } }; func f(_ d: D) { \
    let left: «Void|Int» = d.sold(); _ = left }
    anyObserverCanVeto: final class D { func maySell() -> «Void|Bool» { «()|true» } }
        func f(_ list: [D]) { let answers: [«Void|Bool»] = list.map { $0.maySell() }; _ = answers }
    handlersCanBeAwaited: final class D: Sendable { func sold() «|async» {} }; func f(_ d: D) async { \
    «|await» d.sold() }

    """

let weakDelegate = """
    poster: protocol Observer: AnyObject { func sold(_ cups: Int) }
        final class Stand { weak var delegate: (any Observer)?; func sell() { delegate?.sold(1) } }

    """

let weakDelegates = """
    poster: protocol Observer: AnyObject { func sold(_ cups: Int) }
        final class Weak { weak var delegate: (any Observer)?; init(_ d: any Observer) { delegate = d } }
        final class Stand { var list: [Weak] = []; func sell() { for entry in list { entry.delegate?.sold(1) } } }
    anyObserverCanVeto: protocol Observer: AnyObject { func maySell() -> «Void|Bool» }
        func f(_ list: [any Observer]) { let answers: [«Void|Bool»] = list.map { $0.maySell() }; _ = answers }

    """

/// For one delegate and for a list of them: the compiler does not care how the poster came by one.
let delegates = """
    observer: final class Display: Observer { func «sold|show»(_ cups: Int) {} }
    nameAndPayloadCheckedByCompiler: protocol Observer: AnyObject { func sold(_ cups: Int) }
        func f(_ d: (any Observer)?) { d?.«sold|slod»(1) }
    nameAndPayloadCheckedByCompiler: protocol Observer: AnyObject { func sold(_ cups: Int) }
        func f(_ d: (any Observer)?) { d?.sold(«1|"1"») }
    everyObserverHandlesEveryEvent: protocol Observer: AnyObject { func sold(); func low() }
        final class D: Observer { func sold() {}; «func low() {}|» }
    forgottenWiringIsAnError: protocol Observer: AnyObject {}; final class D: Observer {}
        final class S { var delegates: [any Observer] = [] }; func f(_ s: S, _ d: D) { «s.delegates.append(d)|» }
    acceptsNonSendablePayload: final class Cup { var full = true }; protocol Observer: AnyObject { \
    func sold(_ c: «Int|Cup») }
        func f(_ d: (any Observer)?, _ c: «Int|Cup») { d?.sold(c) }
    acceptsInoutPayload: protocol Observer: AnyObject { func sold(_ c: «Int|inout Int») }
        func f(_ d: (any Observer)?) { var c = 1; d?.sold(«c|&c»); c += 1 }
    acceptsNoncopyablePayload: struct Cup: ~Copyable {}; protocol Observer: AnyObject { \
    func sold(_ c: borrowing «Int|Cup») }
        func f(_ d: (any Observer)?) { d?.sold(«1|Cup()») }
    callersIsolationIsKept: «|@MainActor» protocol Observer: AnyObject { func sold(_ c: Int) }
        «|@MainActor» final class D: Observer { var cups = 0; func sold(_ c: Int) { cups += c } }
        «|@MainActor» func f(_ d: (any Observer)?) { d?.sold(1) }
    deliversAtOnceOnTheMainActor: «|@MainActor» protocol Observer: AnyObject { func sold() }
        «|@MainActor» func f(_ d: (any Observer)?) { d?.sold() }
    answersBack: protocol Observer: AnyObject { func sold() -> «Void|Int» }
        func f(_ d: (any Observer)?) { let left: («Void|Int»)? = d?.sold(); _ = left }
    handlersCanBeAwaited: protocol Observer: AnyObject, Sendable { func sold() «|async» }
        func f(_ d: (any Observer)?) async { «|await» d?.sold() }

    """

func closures(_ kind: String, _ list: String) -> String {
    """
    poster: final class Stand { let lock = NSLock(); var handlers: [\(kind)(Int) -> Void] = []
        func sell() { for handler in \(list) { handler(1) } } }
    observer: final class Display: Sendable { func «sold|show»(_ cups: Int) {} }
        func wire(_ stand: Stand, _ display: Display) { stand.handlers.append { display.sold($0) } }
    nameAndPayloadCheckedByCompiler: final class S { var handlers: [\(kind)(Int) -> Void] = [] }
        func f(_ s: S) { s.«handlers|hanlders».append { print($0) } }
    nameAndPayloadCheckedByCompiler: final class S { var handlers: [\(kind)(Int) -> Void] = [] }
        func f(_ s: S) { for handler in s.handlers { handler(«1|"1"») } }
    everyObserverHandlesEveryEvent: final class S { var sold: [\(kind)() -> Void] = []; \
    var low: [\(kind)() -> Void] = [] }
        func f(_ s: S) { s.sold.append { print(1) }; «s.low.append { print(2) }|» }
    forgottenWiringIsAnError: final class S { var handlers: [\(kind)(Int) -> Void] = [] }
        func f(_ s: S) { «s.handlers.append { print($0) }|» }
    acceptsNonSendablePayload: final class Cup { var full = true }
        func f(_ handlers: [\(kind)(«Int|Cup») -> Void], _ c: «Int|Cup») { for handler in handlers { handler(c) } }
    acceptsInoutPayload: func f(_ handlers: [\(kind)(«Int|inout Int») -> Void]) { var c = 1; for h in handlers { \
    h(«c|&c») }; c += 1 }
    acceptsNoncopyablePayload: struct Cup: ~Copyable {}
        func f(_ handlers: [\(kind)(borrowing «Int|Cup») -> Void]) { for handler in handlers { handler(«1|Cup()») } }
    callersIsolationIsKept: final class S { var handlers: [\(kind)(Int) -> Void] = [] }
        «struct|@MainActor final class» D { static func add(_ c: Int) {}
        func f(_ s: S) { s.handlers.append { «_ = $0|D.add($0)» } } }
    deliversAtOnceOnTheMainActor: «|@MainActor» func show() {}
        «|@MainActor» func f(_ s: [«|@MainActor» \(kind)() -> Void]) { for handler in s + [{ self.show() }] { \
    handler() } }
    answersBack: func f(_ handlers: [\(kind)() -> «Void|Int»]) { for handler in handlers { \
    let left: «Void|Int» = handler(); _ = left } }
    anyObserverCanVeto: func f(_ list: [\(kind)() -> «Void|Bool»]) { let answers: [«Void|Bool»] = list.map { $0() }; \
    _ = answers }
    handlersCanBeAwaited: func f(_ handlers: [@Sendable () «|async» -> Void]) async { for handler in handlers { \
    «|await» handler() } }

    """
}

let typedCenter = """
    poster: struct Sold: TypedNotification { var cups = 1 }
        struct Stand { let center: TypedNotificationCenter; func sell() { center.post(Sold()) } }
    observer: final class Display: Sendable { func «sold|show»(_ cups: Int) {} }
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
    callersIsolationIsKept: struct Sold: TypedNotification {}; «final class|actor» D { «let|var» cups = 0
        func f(_ c: TypedNotificationCenter) { _ = c.observe(Sold.self, isolation: «nil|self») { \
    _ in «print(1)|self.cups += 1» } } }
    deliversAtOnceOnTheMainActor: struct Sold: TypedNotification {}; «|@MainActor» static func show() {}
        @MainActor func f(_ c: TypedNotificationCenter) { _ = c.observeSynchronouslyOnMainActor(Sold.self) { \
    _ in Self.show() } }
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
    observer: final class Display: Sendable { func «sold|show»(_ cups: Int) {} }
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
    callersIsolationIsKept: «final class|actor» D { «let|var» cups = 0; func f(_ c: NotificationCenter) -> Any {
        c.addObserver(forName: .init("sold"), object: nil, queue: nil) { _ in «print(1)|self.cups += 1» } } }
    deliversAtOnceOnTheMainActor: «|@MainActor» static func show() {}; \
    «|@MainActor» func f(_ c: NotificationCenter) -> Any {
        c.addObserver(forName: .init("sold"), object: nil, queue: nil) { _ in Self.show() } }
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
    observer: final class Display: Sendable { func «sold|show»(_ cups: Int) {} }
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
    callersIsolationIsKept: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter }
        «final class|actor» D { «let|var» cups = 0
        func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { _ in «print(1)|self.cups += 1» } } }
    deliversAtOnceOnTheMainActor: struct Sold: NotificationCenter.\(kind) { typealias Subject = NotificationCenter }
        «|@MainActor» static func show() {}
        func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { _ in Self.show() } }
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
    observer: final class Display: Sendable { func «sold|show»(_ cups: Int) {} }
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
    callersIsolationIsKept: @Observable final class S { var cups = 0 }; «final class|actor» D { «let|var» cups = 0
        func f(_ s: S) { withObservationTracking { print(s.cups) } onChange: { «print(1)|self.cups += 1» } } }
    deliversAtOnceOnTheMainActor: @Observable final class S { var cups = 0 }; «|@MainActor» static func show() {}
        func f(_ s: S) { withObservationTracking { print(s.cups) } onChange: { Self.show() } }
    answersBack: @Observable final class S { var cups = 0 }; func f(_ s: S) { let left: «Void|Int» = (s.cups = 1); \
    _ = left }
    anyObserverCanVeto: @Observable final class S { var cups = 0 }; func f(_ s: S) { \
    let answers: «Void|[Bool]» = (s.cups = 1); _ = answers }
    handlersCanBeAwaited: @Observable final class S { var cups = 0 }; static func show() «|async» {}
        func f(_ s: S) { withObservationTracking { print(s.cups) } onChange: { «|await» Self.show() } }

    """

let streams = """
    poster: final class Stand { var streams: [AsyncStream<Int>.Continuation] = []; func sell() { \
    for stream in streams { stream.yield(1) } } }
    observer: final class Display: Sendable { func «sold|show»(_ cups: Int) {} }
        func wire(_ stand: Stand, _ display: Display) { let (stream, end) = AsyncStream.makeStream(of: Int.self); \
    stand.streams.append(end)
        Task { for await cups in stream { display.sold(cups) } } }
    nameAndPayloadCheckedByCompiler: final class S { var streams: [AsyncStream<Int>.Continuation] = [] }; \
    func f(_ s: S) { s.«streams|steams» = [] }
    nameAndPayloadCheckedByCompiler: func f(_ streams: [AsyncStream<Int>.Continuation]) { for stream in streams { \
    stream.yield(«1|"1"») } }
    everyObserverHandlesEveryEvent: func f(_ sold: AsyncStream<Int>, _ low: AsyncStream<Int>) {
        Task { for await cups in sold { print(cups) } }; «Task { for await left in low { print(left) } }|» }
    forgottenWiringIsAnError: final class S { var streams: [AsyncStream<Int>.Continuation] = [] }
        func f(_ s: S) { let (stream, end) = AsyncStream.makeStream(of: Int.self); «s.streams.append(end); \
    |» _ = (stream, end) }
    acceptsNonSendablePayload: final class Cup { var full = true }
        func f(_ streams: [AsyncStream<«Int|Cup»>.Continuation], _ c: «Int|Cup») { for stream in streams { \
    stream.yield(c) } }
    acceptsInoutPayload: func f(_ stream: AsyncStream<Int>) async { for await cups in stream { \
    «print(cups)|cups += 1» } }
    acceptsNoncopyablePayload: struct Cup: ~Copyable {}; func f(_ stream: AsyncStream<«Int|Cup»>) {}
    callersIsolationIsKept: «final class|actor» D { «let|var» cups = 0
        func f(_ stream: AsyncStream<Int>) { Task { for await c in stream { «print(c)|self.cups += c» } } } }
    deliversAtOnceOnTheMainActor: «|@MainActor» func f(_ s: AsyncStream<Int>.Continuation) { s.yield(1) }
    answersBack: func f(_ s: AsyncStream<Int>.Continuation) { \
    let left: «AsyncStream<Int>.Continuation.YieldResult|Int» = s.yield(1); _ = left }
    anyObserverCanVeto: func f(_ s: AsyncStream<Int>.Continuation) { \
    let a: «AsyncStream<Int>.Continuation.YieldResult|[Bool]» = s.yield(1); _ = a }
    handlersCanBeAwaited: func show() «|async» {}; func f(_ stream: AsyncStream<Int>) async { \
    for await _ in stream { «|await» show() } }

    """
