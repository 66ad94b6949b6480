// The rows of the matrix in order: group, title and probe.

extension Property {
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

    package var source: Source { entry.probe != nil ? .probe : group == .cost ? .measurement : .compiler }

    /// Establishes the property; nil if no probe does.
    var probe: ((Probe) -> Finding)? { entry.probe }

    private var entry: (group: Group, title: String, probe: ((Probe) -> Finding)?) {
        switch self {
        case .reachesManyObservers: (.delivery, "reaches many observers", { $0.reachesMany() })
        case .deliversEachNotificationOnce: (.delivery, "delivers each post exactly once", { $0.deliversOnce() })
        case .keepsOrderOfPosts: (.delivery, "keeps the order of those heard", { $0.keepsOrderOfPosts() })
        case .keepsOrderOfObservers: (.delivery, "keeps the order of observers", { $0.keepsOrder(isChurning: false) })
        case .keepsOrderUnderChurn: (.delivery, "… while observers come and go", { $0.keepsOrder(isChurning: true) })
        case .finishedWhenPosterGoesOn: (.delivery, "handlers finish before the post returns", { $0.isFinished() })
        case .failingObserverDoesNotStopTheOthers:
            (.delivery, "a throwing observer stops no other", { $0.afterAFailure().others })
        case .failureIsLearnedOf: (.delivery, "somebody learns of its error", { $0.afterAFailure().error })
        case .slowObserverIsNoticed: (.delivery, "the poster notices a slow observer", { $0.slowIsNoticed() })
        case .lateObserverSeesCurrentValue: (.delivery, "late observer gets the current value", { $0.replaysLatest() })
        case .deliversOnAQueue: (.delivery, "delivers on a queue of your choice", { $0.deliversOnAQueue() })
        case .answersBack: (.delivery, "a post can return an answer", nil)
        case .anyObserverCanVeto: (.delivery, "any of several observers can veto", nil)
        case .handlersCanBeAwaited: (.delivery, "async handlers can be awaited", nil)
        case .releasedObserverIsForgotten: (.lifetime, "released observation ends", { $0.forgetsReleased() })
        case .capturesReleasedOnCancel: (.lifetime, "cancel releases captures", { $0.releasesCaptures() })
        case .noRetainCycleThroughSelf: (.lifetime, "capturing self makes no retain cycle", { $0.makesNoRetainCycle() })
        case .observerCanBeHeldWeakly: (.lifetime, "observer can be held weakly", { $0.holdsWeakly() })
        case .noCallAfterCancel: (.lifetime, "no call after cancel, same thread", { $0.noCallAfterCancel() })
        case .hearsWhatWasPostedBeforeCancel:
            (.lifetime, "a cancelled observer hears earlier posts", { $0.hearsBeforeCancel() })
        case .postUnderWayHeedsCancelElsewhere:
            (.lifetime, "a post under way heeds cancel elsewhere", { $0.noCallAfterCancelElsewhere() })
        case .cancelWaitsForARunningCall: (.lifetime, "cancel can wait for a running call", { $0.cancelWaits() })
        case .observeCancelAndPostInsideAnObserver:
            (.lifetime, "observe, cancel, post in an observer", { $0.isReentrant() })
        case .cancelInADeinit: (.lifetime, "cancel in a deinit", { $0.cancelInDeinit() })
        case .safeFromTwoThreads: (.threads, "safe from two threads", { $0.isThreadSafe() })
        case .oneCallOfAnObserverAtATime: (.threads, "an observer runs once at a time", { $0.callsDoNotOverlap() })
        case .keepsOneOrderAcrossThreads: (.threads, "one order across posting threads", { $0.keepsOneOrder() })
        case .keepsTheMainActor: (.threads, "handler stays on the main actor", nil)
        case .callersIsolationIsKept: (.threads, "handler stays on any actor", nil)
        case .nameAndPayloadCheckedByCompiler: (.compiler, "misspelt name or payload is an error", nil)
        case .everyObserverHandlesEveryEvent: (.compiler, "unhandled event is an error", nil)
        case .forgottenWiringIsAnError: (.compiler, "forgotten wiring is an error", nil)
        case .acceptsNonSendablePayload: (.compiler, "takes a non-Sendable payload", nil)
        case .acceptsInoutPayload: (.compiler, "takes an inout payload", nil)
        case .acceptsNoncopyablePayload: (.compiler, "takes a ~Copyable payload", nil)
        case .allocatesNothing: (.cost, "a post allocates nothing", nil)
        case .twoPostersDoNotSlowEachOther: (.cost, "two posters don't slow each other", nil)
        case .newEventIsSmall: (.cost, "another event takes under 256 bytes", nil)
        case .posterNamesNoObserver: (.navigation, "poster names no observer", nil)
        case .anyPosterReachesTheObserver: (.navigation, "observer hears unknown posters", { $0.reachesStrangers() })
        case .observersCanBeListed: (.navigation, "observers can be named", { $0.listsObservers() })
        case .unheardPostIsNoticed: (.navigation, "a poster can tell that nobody listens", { $0.noticesUnheard() })
        }
    }
}
