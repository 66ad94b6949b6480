/// What can be asked of a way of reaching observers: the rows of the matrix.
///
/// Each is established by a probe that runs when it is asked; nothing about any wiring is written down here.
package enum Property: String, CaseIterable, Sendable {
    case reachesManyObservers
    case deliversEachNotificationOnce
    case keepsOrderOfPosts
    case keepsOrderOfObservers
    case keepsOrderUnderChurn
    case nameAndPayloadCheckedByCompiler
    case answersBack
    case posterDoesNotKnowItsObservers
    case releasedObserverIsForgotten
    case capturesReleasedOnCancel
    case noCallAfterCancel
    case observeCancelAndPostInsideAnObserver
    case cancelInADeinit
    case lateObserverSeesCurrentValue
    case failingObserverDoesNotStopTheOthers
    case oneCallOfAnObserverAtATime
    case safeFromTwoThreads
    case finishedWhenPosterGoesOn
    case slowObserverIsNoticed
    case observersCanBeListed
    case unheardPostIsNoticed

    /// For people.
    package var title: String {
        switch self {
        case .reachesManyObservers: "reaches many observers"
        case .deliversEachNotificationOnce: "each notification once, none lost"
        case .keepsOrderOfPosts: "keeps the order of posts"
        case .keepsOrderOfObservers: "keeps the order of observers"
        case .keepsOrderUnderChurn: "… also when they come and go"
        case .nameAndPayloadCheckedByCompiler: "compiler checks name and payload"
        case .answersBack: "answers back to the poster"
        case .posterDoesNotKnowItsObservers: "poster does not know its observers"
        case .releasedObserverIsForgotten: "forgets an observer that is released"
        case .capturesReleasedOnCancel: "captures released on cancel"
        case .noCallAfterCancel: "no call after cancel"
        case .observeCancelAndPostInsideAnObserver: "observe, cancel, post in an observer"
        case .cancelInADeinit: "cancel in a deinit"
        case .lateObserverSeesCurrentValue: "late observer sees the current value"
        case .failingObserverDoesNotStopTheOthers: "a failing observer stops no other"
        case .oneCallOfAnObserverAtATime: "one call of an observer at a time"
        case .safeFromTwoThreads: "safe from two threads"
        case .finishedWhenPosterGoesOn: "finished when the poster goes on"
        case .slowObserverIsNoticed: "a slow observer is noticed"
        case .observersCanBeListed: "who observes can be listed"
        case .unheardPostIsNoticed: "a post nobody hears is noticed"
        }
    }
}
