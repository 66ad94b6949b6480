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
}
