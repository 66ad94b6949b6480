import JuiceStand
import Platform

/// Runs the probes of one wiring; each begins with new specimens.
///
/// Some of what is tried may end the program or never end, so the program runs its probes in processes of their own;
/// see ``ProbeProcess``.
package struct Probe {
    let make: () -> any Idiom
    /// How much processor time a probe may use that repeats until it has seen enough.
    let budget: Duration

    package init(_ make: @escaping () -> any Idiom, budget: Duration = .seconds(3)) {
        self.make = make
        self.budget = budget
    }

    package init(_ choice: WiringChoice) { self.init(choice.profile.make) }

    /// The finding, with a drawing of what happened for rows that are easier seen than told.
    package func find(_ property: Property) -> Finding {
        guard property.isDrawn else { return establish(property) }
        let recorders = Slot<[Recorder]>([])
        let recorded = Probe({
            recorders.value.append(Recorder())
            return RecordedTill(make(), recorders.value.last!)
        })
        var finding = recorded.establish(property)
        finding.trace = recorders.value.map(\.trace).first { !$0.arrows.isEmpty }
        return finding
    }

    private func establish(_ property: Property) -> Finding {
        switch property {
        case .reachesManyObservers: reachesMany()
        case .deliversEachNotificationOnce: deliversOnce()
        case .keepsOrderOfPosts: keepsOrderOfPosts()
        case .keepsOrderOfObservers: keepsOrder(isChurning: false)
        case .keepsOrderUnderChurn: keepsOrder(isChurning: true)
        case .finishedWhenPosterGoesOn: isFinished()
        case .failingObserverDoesNotStopTheOthers: afterAFailure().others
        case .failureIsLearnedOf: afterAFailure().error
        case .slowObserverIsNoticed: slowIsNoticed()
        case .lateObserverSeesCurrentValue: replaysLatest()
        case .deliversOnAQueue: deliversOnAQueue()
        case .releasedObserverIsForgotten: forgetsReleased()
        case .capturesReleasedOnCancel: releasesCaptures()
        case .noRetainCycleThroughSelf: makesNoRetainCycle()
        case .observerCanBeHeldWeakly: holdsWeakly()
        case .noCallAfterCancel: noCallAfterCancel()
        case .postUnderWayHeedsCancelElsewhere: noCallAfterCancelElsewhere()
        case .hearsWhatWasPostedBeforeCancel: hearsBeforeCancel()
        case .cancelWaitsForARunningCall: cancelWaits()
        case .observeCancelAndPostInsideAnObserver: isReentrant()
        case .cancelInADeinit: cancelInDeinit()
        case .safeFromTwoThreads: isThreadSafe()
        case .oneCallOfAnObserverAtATime: callsDoNotOverlap()
        case .keepsOneOrderAcrossThreads: keepsOneOrder()
        case .anyPosterReachesTheObserver: reachesStrangers()
        case .observersCanBeListed: listsObservers()
        case .unheardPostIsNoticed: noticesUnheard()
        case .answersBack, .anyObserverCanVeto, .handlersCanBeAwaited, .callersIsolationIsKept, .keepsTheMainActor,
            .nameAndPayloadCheckedByCompiler, .everyObserverHandlesEveryEvent,
            .forgottenWiringIsAnError, .acceptsNonSendablePayload, .acceptsInoutPayload, .acceptsNoncopyablePayload,
            .posterNamesNoObserver, .allocatesNothing, .twoPostersDoNotSlowEachOther,
            .newEventIsSmall:
            Finding(nil, "the compiler or a measurement establishes this")
        }
    }
}

/// What observers heard, from any thread.
final class Hearing: Sendable {
    private let entries = Guarded<[UInt64]>([])

    func note(_ number: UInt64) { entries.withLock { $0.append(number) } }
    var all: [UInt64] { entries.withLock { $0 } }
    var count: Int { entries.withLock { $0.count } }
}
