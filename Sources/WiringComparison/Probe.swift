import JuiceStand
import Platform

/// Runs the probes of one mechanism; each begins with specimens of its own.
///
/// Some of what is tried may end the program or never end: the program's own probes run in a process of their own, see
/// ``ProbeProcess``.
package struct Probe {
    let make: () -> any Specimen
    /// What the compiler says to a misspelt program; asked only where one is not known to run.
    let compiler: () -> Finding

    /// How much work a probe may do that goes on until it has seen enough; of wall time it may take twelve times as much.
    let patience: Duration

    /// - Parameter patience: Well below that of ``ProbeProcess``, which takes a probe that is not done for one that hangs.
    package init(
        _ make: @escaping () -> any Specimen, compiler: @escaping () -> Finding = Probe.noProgram,
        patience: Duration = .seconds(10)
    ) {
        self.make = make
        self.compiler = compiler
        self.patience = patience
    }

    /// The program's own.
    package init(_ choice: WiringChoice) {
        self.init(choice.makeSpecimen) {
            choice.workedExample.map { CompilerProbe.besideProgram().check($0) } ?? Self.noProgram()
        }
    }

    package static func noProgram() -> Finding {
        Finding(holds: nil, evidence: "there is no program to misspell")
    }

    package func find(_ property: Property) -> Finding {
        switch property {
        case .reachesManyObservers: reachesMany()
        case .deliversEachNotificationOnce: deliversOnce()
        case .keepsOrderOfPosts: keepsOrderOfPosts()
        case .keepsOrderOfObservers: keepsOrder(isChurning: false)
        case .keepsOrderUnderChurn: keepsOrder(isChurning: true)
        case .nameAndPayloadCheckedByCompiler: checkedByCompiler()
        case .answersBack: answersBack()
        case .posterDoesNotKnowItsObservers: reachesStrangers()
        case .releasedObserverIsForgotten: forgetsReleased()
        case .capturesReleasedOnCancel: releasesCaptures()
        case .noCallAfterCancel: noCallAfterCancel()
        case .observeCancelAndPostInsideAnObserver: isReentrant()
        case .cancelInADeinit: cancelInDeinit()
        case .lateObserverSeesCurrentValue: replaysLatest()
        case .failingObserverDoesNotStopTheOthers: failureStopsNobody()
        case .oneCallOfAnObserverAtATime: callsDoNotOverlap()
        case .safeFromTwoThreads: isThreadSafe()
        case .finishedWhenPosterGoesOn: isFinished()
        case .slowObserverIsNoticed: slowIsNoticed()
        case .observersCanBeListed: listsObservers()
        case .unheardPostIsNoticed: noticesUnheard()
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

/// What is there to be released, and perhaps does something then.
final class Captured: Sendable {
    private let whenReleased: @Sendable () -> Void

    init(_ whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }
    deinit { whenReleased() }
}

extension Int {
    /// `1 post`, `2 posts`.
    func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
