import JuiceStand

/// What the comparison knows about a wiring before it measures and probes it.
struct Subject: Sendable {
    /// The form that is measured and probed under the wiring's name.
    let configuration: String
    /// How the wiring reaches the observers of the whole stand, which has several kinds of facts to deliver.
    let standWiring: String
    let makeSpecimen: @Sendable () -> any Specimen
    /// How many posts wait for an observer. Of more, the newest stay.
    let window: Int
    /// Properties that make no sense for the wiring, and why.
    let exceptions: [(why: String, properties: Set<Property>)]

    init(
        _ configuration: String, inStand standWiring: String, _ makeSpecimen: @escaping @Sendable () -> any Specimen,
        window: Int = .max, exceptions: [(why: String, properties: Set<Property>)] = []
    ) {
        self.configuration = configuration
        self.standWiring = standWiring
        self.makeSpecimen = makeSpecimen
        self.window = window
        self.exceptions = exceptions
    }

    private static let noMemory = "another event is another method"
    private static let oneThread = "it must be used from one thread"
    /// These make sense only for wirings that several threads may use.
    private static let threadProperties: Set<Property> = [
        .oneCallOfAnObserverAtATime, .keepsOneOrderAcrossThreads, .cancelWaitsForARunningCall,
        .postUnderWayHeedsCancelElsewhere,
    ]
    private static let noThrowing = (
        why: "a handler can't throw",
        properties: [Property.failingObserverDoesNotStopTheOthers, .failureIsLearnedOf] as Set
    )
    private static let later = (
        why: "handlers run after the post",
        properties: [Property.twoPostersDoNotSlowEachOther, .postUnderWayHeedsCancelElsewhere] as Set
    )

    static let all: [WiringChoice: Subject] = [
        .direct: Subject(
            "a final class in a stored property; from 2 observers on a constant list of them",
            inStand: "a list for each class of observer", DirectSpecimen.init,
            exceptions: [
                (
                    "a poster's observers are fixed when it is made",
                    [
                        .keepsOrderUnderChurn, .releasedObserverIsForgotten, .capturesReleasedOnCancel,
                        .noRetainCycleThroughSelf, .observerCanBeHeldWeakly, .noCallAfterCancel,
                        .postUnderWayHeedsCancelElsewhere, .cancelWaitsForARunningCall,
                        .observeCancelAndPostInsideAnObserver, .cancelInADeinit, .safeFromTwoThreads,
                        .anyPosterReachesTheObserver, .unheardPostIsNoticed,
                    ]
                ),
                (noMemory, [.newEventIsSmall]),
            ]),
        .delegate: Subject(
            "one weak delegate, so one observer",
            inStand: "a weak coordinator, which looks observers up in a table of facts", DelegateSpecimen.init,
            exceptions: [
                (
                    "there is one observer",
                    [
                        .keepsOrderOfObservers, .keepsOrderUnderChurn, .failingObserverDoesNotStopTheOthers,
                        .anyObserverCanVeto, .cancelInADeinit,
                    ]
                ),
                (oneThread, threadProperties), (noMemory, [.newEventIsSmall]),
            ]),
        .multicastDelegate: Subject(
            "an array of structs with a weak delegate each",
            inStand: "a table of facts with weak references, cast on each call", DelegatesSpecimen.init,
            exceptions: [(oneThread, threadProperties)]),
        .closure: Subject(
            "a closure in an optional property; from 2 observers on an array of closures",
            inStand: "a table of facts with closures", ListSpecimen<ClosureList>.init,
            exceptions: [(oneThread, threadProperties)]),
        .closureLocked: Subject(
            "an array of closures under a Mutex, called after unlocking",
            inStand: "a table of facts with closures under a lock", ListSpecimen<LockedClosureList>.init),
        .boxesLocked: Subject(
            "an array of objects with a closure each under a Mutex; an object is the observation",
            inStand: "a table of facts with boxes under a lock", ListSpecimen<LockedBoxList>.init),
        .subject: Subject(
            "a subject with subscriptions as in Combine, without demand; Linux has no Combine",
            inStand: "a subject's subscriptions for each fact", ListSpecimen<SaleSubject>.init,
            exceptions: [noThrowing]),
        .notification: Subject(
            "observe and post, without any option", inStand: "a center, with a type for each fact",
            { TypedCenterSpecimen() }, exceptions: [noThrowing]),
        .foundationNotification: Subject(
            "a name, no object, no queue, and a value in userInfo", inStand: "a center, with a name for each fact",
            { NamedCenterSpecimen() }, exceptions: [noThrowing]),
        .foundationMessage: Subject(
            "an AsyncMessage with an asynchronous handler", inStand: "a center, with a message type for each fact",
            { MessageCenterSpecimen() }, exceptions: [noThrowing, later]),
        .foundationMessages: Subject(
            "for await in messages(of:for:), with its buffer of 10", inStand: "a sequence for each observer and fact",
            { MessageSequenceSpecimen() }, window: 10, exceptions: [later]),
        .foundationMessageMain: Subject(
            "a MainActorMessage, posted on the main actor", inStand: "a center, with a message type for each fact",
            { MainMessageCenterSpecimen() },
            exceptions: [
                noThrowing,
                (
                    "only the main actor may post",
                    threadProperties.union([.safeFromTwoThreads, .twoPostersDoNotSlowEachOther])
                ),
            ]),
        .observation: Subject(
            "an @Observable property, read again on the poster's next turn", inStand: "a property for each fact",
            TrackedPropertySpecimen.init, window: 1,
            exceptions: [noThrowing, later, (oneThread, threadProperties)]),
        .observations: Subject(
            "for await in Observations of an @Observable property that an actor has",
            inStand: "a property for each fact",
            ObservedValuesSpecimen.init, window: 1, exceptions: [later]),
        .asyncStream: Subject(
            "an unbounded AsyncStream and a task for each observer, their array under a Mutex",
            inStand: "a stream for each observer and fact", StreamsSpecimen.init, exceptions: [later]),
    ]
}

extension WiringChoice {
    /// The wirings that the comparison has an idiom of, which a test requires of all.
    package static let compared = allCases.filter { Subject.all[$0] != nil }

    /// - Precondition: ``compared`` has the wiring.
    var details: Subject {
        guard let details = Subject.all[self] else { preconditionFailure("the comparison does not know \(self)") }
        return details
    }

    /// Why a property makes no sense for the wiring; nil if it does.
    package func reasonNotToApply(_ property: Property) -> String? {
        details.exceptions.first { $0.properties.contains(property) }?.why
    }

    /// The wiring's idiom for the probes.
    package func makeSpecimen() -> any Specimen { details.makeSpecimen() }

    /// Gives `visitor` the wiring's fastest plain idiom with `observers`.
    ///
    /// - Returns: nil if the wiring can't have that number of observers.
    func visit<Visitor: IdiomVisitor>(_ visitor: Visitor, observers: [Visitor.Observer]) -> Visitor.Result? {
        func open<Way: OpenIdiom>(_ way: Way) -> Visitor.Result where Way.Observer == Visitor.Observer {
            visitor.visit(way, keys: observers.map { way.add($0) })
        }
        return switch self {
        case .direct where observers.count == 1: visitor.visit(DirectCall(observers[0]), keys: ())
        case .direct: visitor.visit(DirectCalls(observers), keys: ())
        case .delegate: observers.count == 1 ? open(WeakDelegate()) : nil
        case .multicastDelegate: open(WeakDelegates())
        case .closure where observers.count == 1: visitor.visit(OneClosure(observers[0]), keys: ())
        case .closure: open(ClosureList())
        case .closureLocked: open(LockedClosureList())
        case .boxesLocked: open(LockedBoxList())
        case .subject: open(SaleSubject())
        case .notification: open(TypedCenter())
        case .foundationNotification: open(NamedCenter())
        case .foundationMessage: open(MessageCenter())
        case .foundationMessages: open(MessageSequence())
        case .foundationMessageMain: open(MainMessageCenter())
        case .observation: open(TrackedProperty())
        case .observations: open(ObservedValues())
        case .asyncStream: open(Streams())
        default: nil
        }
    }
}
