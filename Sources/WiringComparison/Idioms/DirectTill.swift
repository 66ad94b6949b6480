final class DirectTill {
    private let display: Display
    init(_ display: Display) { self.display = display }
    func post(_ sale: Sale) { display.sold(sale) }
}

final class DirectListTill {
    private let displays: ContiguousArray<Display>
    init(_ displays: [Display]) { self.displays = ContiguousArray(displays) }

    func post(_ sale: Sale) {
        // By index: a loop over the elements would retain each of them.
        for index in displays.indices { displays[index].sold(sale) }
    }
}

// MARK: - In the comparison

/// Makes a new poster for each post, because the displays of a poster are fixed.
private final class NewDirectTills: Idiom {
    private var displays: [Display] = []

    func observe(_ display: Display) { displays.append(display) }
    func cancel(_ key: Void) { displays = [] }
    func post(_ sale: Sale) { DirectListTill(displays).post(sale) }
    var observersListed: [String]? { displays.map { "\(type(of: $0))" } }
}

extension DirectTill: FixedIdiom {}
extension DirectListTill: FixedIdiom {}

extension Profile {
    static let direct = Profile(
        choice: .direct, file: "DirectTill.swift",
        configuration: "a final class in a stored property; from 2 observers on a constant list of them",
        advice: Advice("parts that never change", (.forgottenWiringIsAnError, true), (.posterNamesNoObserver, false)),
        plain: Form { displays in
            switch displays.count {
            case 0: NewDirectTills()
            case 1: DirectTill(displays[0])
            default: DirectListTill(displays)
            }
        },
        exceptions: [
            Reason(
                "a poster's observers are fixed when it is made", .keepsOrderUnderChurn, .releasedObserverIsForgotten,
                .capturesReleasedOnCancel, .noRetainCycleThroughSelf, .observerCanBeHeldWeakly, .noCallAfterCancel,
                .hearsWhatWasPostedBeforeCancel, .postUnderWayHeedsCancelElsewhere, .cancelWaitsForARunningCall,
                .observeCancelAndPostInsideAnObserver, .cancelInADeinit, .safeFromTwoThreads,
                .anyPosterReachesTheObserver, .unheardPostIsNoticed),
            .noMemory,
        ],
        grounds: [.loop, .throwing, Reason("the poster has them in a list", .observersCanBeListed)],
        refuted: [.mixed])
}
