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

    package func find(_ property: Property) -> Finding {
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

    /// Waits until `event` is true or no thread has anything left to do.
    ///
    /// - Returns: whether it is true; nil if that is not known after 10 s.
    func happens(in till: any Idiom, _ event: () -> Bool) -> Bool? {
        guard till.isConcurrent else { return event() }
        for _ in 0..<10_000 {
            if event() { return true }
            if isIdle(), !till.turn() { return event() }
            usleep(1000)
        }
        return nil
    }
}

/// What observers heard, from any thread.
final class Hearing: Sendable {
    private let entries = Guarded<[UInt64]>([])

    func note(_ number: UInt64) { entries.withLock { $0.append(number) } }
    var all: [UInt64] { entries.withLock { $0 } }
    var count: Int { entries.withLock { $0.count } }
}
