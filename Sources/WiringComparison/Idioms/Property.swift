/// The rows of the matrix: what it asks of each wiring.
///
/// A probe, the compiler or a measurement establishes each cell.
package enum Property: String, CaseIterable, Sendable {
    case reachesManyObservers, deliversEachNotificationOnce, keepsOrderOfPosts, keepsOrderOfObservers,
        keepsOrderUnderChurn, finishedWhenPosterGoesOn, failingObserverDoesNotStopTheOthers, failureIsLearnedOf,
        slowObserverIsNoticed, lateObserverSeesCurrentValue, deliversOnAQueue, answersBack, anyObserverCanVeto,
        handlersCanBeAwaited
    case releasedObserverIsForgotten, capturesReleasedOnCancel, noRetainCycleThroughSelf, observerCanBeHeldWeakly,
        noCallAfterCancel, hearsWhatWasPostedBeforeCancel, postUnderWayHeedsCancelElsewhere, cancelWaitsForARunningCall,
        observeCancelAndPostInsideAnObserver, cancelInADeinit
    case safeFromTwoThreads, oneCallOfAnObserverAtATime, keepsOneOrderAcrossThreads, keepsTheMainActor,
        callersIsolationIsKept
    case nameAndPayloadCheckedByCompiler, everyObserverHandlesEveryEvent, forgottenWiringIsAnError,
        acceptsNonSendablePayload, acceptsInoutPayload, acceptsNoncopyablePayload
    case allocatesNothing, twoPostersDoNotSlowEachOther, newEventIsSmall
    case posterNamesNoObserver, anyPosterReachesTheObserver, observersCanBeListed, unheardPostIsNoticed

    package enum Group: String, CaseIterable, Sendable {
        case delivery
        case lifetime
        case threads
        case compiler = "what the compiler knows"
        case cost
        case navigation = "finding one's way"
    }

    package var group: Group { entry.group }

    /// The row's name in tables.
    package var title: String { entry.title }

    /// The title of a row that stands alone: `…` goes on from the title of the row above.
    package var wholeTitle: String {
        self == .keepsOrderUnderChurn ? "keeps the order of observers while observers come and go" : title
    }

    /// What establishes a property.
    package enum Source: Sendable {
        /// A probe of the running mechanism.
        case probe
        /// A program that the compiler accepts or refuses.
        case compiler
        /// A figure.
        case measurement
    }

    package var source: Source { entry.source }

    private var entry: (group: Group, source: Source, title: String) {
        switch self {
        case .reachesManyObservers: (.delivery, .probe, "reaches many observers")
        case .deliversEachNotificationOnce: (.delivery, .probe, "delivers each post exactly once")
        case .keepsOrderOfPosts: (.delivery, .probe, "keeps the order of those heard")
        case .keepsOrderOfObservers: (.delivery, .probe, "keeps the order of observers")
        case .keepsOrderUnderChurn: (.delivery, .probe, "… while observers come and go")
        case .finishedWhenPosterGoesOn: (.delivery, .probe, "handlers finish before the post returns")
        case .failingObserverDoesNotStopTheOthers: (.delivery, .probe, "a throwing observer stops no other")
        case .failureIsLearnedOf: (.delivery, .probe, "somebody learns of its error")
        case .slowObserverIsNoticed: (.delivery, .probe, "the poster notices a slow observer")
        case .lateObserverSeesCurrentValue: (.delivery, .probe, "late observer gets the current value")
        case .deliversOnAQueue: (.delivery, .probe, "delivers on a queue of your choice")
        case .answersBack: (.delivery, .compiler, "a post can return an answer")
        case .anyObserverCanVeto: (.delivery, .compiler, "any of several observers can veto")
        case .handlersCanBeAwaited: (.delivery, .compiler, "async handlers can be awaited")
        case .releasedObserverIsForgotten: (.lifetime, .probe, "released observation ends")
        case .capturesReleasedOnCancel: (.lifetime, .probe, "cancel releases captures")
        case .noRetainCycleThroughSelf: (.lifetime, .probe, "capturing self makes no retain cycle")
        case .observerCanBeHeldWeakly: (.lifetime, .probe, "observer can be held weakly")
        case .noCallAfterCancel: (.lifetime, .probe, "no call after cancel, same thread")
        case .hearsWhatWasPostedBeforeCancel: (.lifetime, .probe, "a cancelled observer hears earlier posts")
        case .postUnderWayHeedsCancelElsewhere: (.lifetime, .probe, "a post under way heeds cancel elsewhere")
        case .cancelWaitsForARunningCall: (.lifetime, .probe, "cancel can wait for a running call")
        case .observeCancelAndPostInsideAnObserver: (.lifetime, .probe, "observe, cancel, post in an observer")
        case .cancelInADeinit: (.lifetime, .probe, "cancel in a deinit")
        case .safeFromTwoThreads: (.threads, .probe, "safe from two threads")
        case .oneCallOfAnObserverAtATime: (.threads, .probe, "an observer runs once at a time")
        case .keepsOneOrderAcrossThreads: (.threads, .probe, "one order across posting threads")
        case .keepsTheMainActor: (.threads, .compiler, "handler stays on the main actor")
        case .callersIsolationIsKept: (.threads, .compiler, "handler stays on any actor")
        case .nameAndPayloadCheckedByCompiler: (.compiler, .compiler, "misspelt name or payload is an error")
        case .everyObserverHandlesEveryEvent: (.compiler, .compiler, "unhandled event is an error")
        case .forgottenWiringIsAnError: (.compiler, .compiler, "forgotten wiring is an error")
        case .acceptsNonSendablePayload: (.compiler, .compiler, "takes a non-Sendable payload")
        case .acceptsInoutPayload: (.compiler, .compiler, "takes an inout payload")
        case .acceptsNoncopyablePayload: (.compiler, .compiler, "takes a ~Copyable payload")
        case .allocatesNothing: (.cost, .measurement, "a post allocates nothing")
        case .twoPostersDoNotSlowEachOther: (.cost, .measurement, "two posters don't slow each other")
        case .newEventIsSmall: (.cost, .measurement, "another event takes under 256 bytes")
        case .posterNamesNoObserver: (.navigation, .compiler, "poster names no observer")
        case .anyPosterReachesTheObserver: (.navigation, .probe, "observer hears unknown posters")
        case .observersCanBeListed: (.navigation, .probe, "observers can be named")
        case .unheardPostIsNoticed: (.navigation, .probe, "a poster can tell that nobody listens")
        }
    }
}
