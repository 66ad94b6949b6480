import EmbeddedFiles
import JuiceStand

/// What the comparison knows about a wiring before it measures and probes it. Each idiom's file declares its own.
package struct Profile: Sendable {
    package let choice: WiringChoice
    /// The file with the listing.
    let file: String
    /// How the plain form is built.
    package let configuration: String
    package let advice: Advice
    /// The form that is measured and probed under the wiring's name.
    let plain: Form
    /// Properties that make no sense for the wiring.
    var exceptions: [Reason] = []
    /// Properties that the documentation or the construction guarantees. A passed probe alone is no proof of others.
    var grounds: [Reason] = []
    /// Properties with a known counter-example, which a run may miss.
    var refuted: [Reason] = []
    /// Other forms. A probe asks one if the plain form lacks a property that the option gives.
    var options: [Form] = []
    /// The wiring whose verdicts of the compiler also count for this one, if it has none of its own.
    var compilesLike: WiringChoice?

    /// Why some properties hold, fail or make no sense.
    struct Reason: Sendable {
        var why: String
        var properties: Set<Property>

        init(_ why: String, _ properties: Property...) {
            self.why = why
            self.properties = Set(properties)
        }
    }
}

// MARK: - Reasons that several wirings share

extension Profile.Reason {
    static let loop = Self(
        "the post is a loop over the observers, in the order in which they began", .reachesManyObservers,
        .deliversEachNotificationOnce, .keepsOrderOfPosts, .keepsOrderOfObservers, .keepsOrderUnderChurn,
        .finishedWhenPosterGoesOn, .slowObserverIsNoticed, .hearsWhatWasPostedBeforeCancel)
    static let call = Self(
        "the post is a call of the observer", .deliversEachNotificationOnce, .keepsOrderOfPosts,
        .finishedWhenPosterGoesOn, .slowObserverIsNoticed, .hearsWhatWasPostedBeforeCancel)
    static let throwing = Self("an error leaves the poster's loop and reaches the poster", .failureIsLearnedOf)
    static let weak = Self(
        "the poster's reference is weak", .releasedObserverIsForgotten, .capturesReleasedOnCancel,
        .noRetainCycleThroughSelf, .observerCanBeHeldWeakly, .noCallAfterCancel, .cancelInADeinit)
    static let removes = Self("cancel removes the handler from the list", .capturesReleasedOnCancel)
    static let copy = Self(
        "the post goes over a copy of the list, so the list may change meanwhile", .observeCancelAndPostInsideAnObserver
    )
    static let lock = Self(
        "a lock guards the list, and it is released before a handler is called or released", .safeFromTwoThreads,
        .cancelInADeinit)
    static let poster = Self("the poster has the list", .unheardPostIsNoticed)
    static let task = Self(
        "one task reads the sequence, and each element waits for the one before", .oneCallOfAnObserverAtATime,
        .failingObserverDoesNotStopTheOthers, .deliversOnAQueue)

    static let noMemory = Self("another event is another method", .newEventIsSmall)
    static let oneThread = Self(
        "it must be used from one thread", .oneCallOfAnObserverAtATime, .keepsOneOrderAcrossThreads,
        .cancelWaitsForARunningCall, .postUnderWayHeedsCancelElsewhere)
    static let noThrowing = Self("a handler can't throw", .failingObserverDoesNotStopTheOthers, .failureIsLearnedOf)
    static let later = Self(
        "handlers run after the post", .twoPostersDoNotSlowEachOther, .postUnderWayHeedsCancelElsewhere)

    static let noLock = Self("no lock guards its list: two threads change and read it at once", .safeFromTwoThreads)
    static let mixed = Self(
        "nothing orders the posts of two threads: one observer may hear A before B, and another B before A",
        .keepsOneOrderAcrossThreads)
}

extension Profile {
    /// Every wiring of ``WiringChoice``, in its order.
    package static let all: [Profile] = [
        .direct, .delegate, .multicastDelegate, .closure, .closureLocked, .boxesLocked, .subject, .notification,
        .foundationNotification, .foundationMessage, .foundationMessages, .foundationMessageMain, .observation,
        .observations, .asyncStream, .keyPath,
    ]

    /// Why a property makes no sense for the wiring; nil if it makes sense.
    package func reasonNotToApply(_ property: Property) -> String? {
        exceptions.first { $0.properties.contains(property) }?.why
    }

    /// A till of the plain form, without observers.
    package func make() -> any Idiom { plain.make([]) }

    /// The option that gives a property; nil if there is none.
    func option(_ property: Property) -> Form? { options.first { $0.properties.contains(property) } }

    // MARK: - The listing

    /// The code that is measured, beginning with the poster.
    package var listing: String {
        let ownCode = code.split(separator: "// What it needs\n")[0]
        let lines = ownCode.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0.isEmpty || $0.hasPrefix("import ") }.joined(separator: "\n").trimmed
    }

    /// The whole code of the wiring: imports, the listing, and what it needs.
    package var code: String {
        let own = EmbeddedFile(file).text.split(separator: "// MARK: - In the comparison\n")[0]
        let code = own.replacing("// MARK: - ", with: "// ").trimmed + "\n"
        guard own.contains("TillActor") else { return code }
        return "\(code)\n// What it needs\n\n\(EmbeddedFile("TillActor.swift").text)\n"
    }

    /// What every listing needs: the sale and the observer.
    package static var commonCode: String { EmbeddedFile("Display.swift").text.replacing("package ", with: "") }
}

extension StringProtocol {
    /// The text without empty lines at its end.
    fileprivate var trimmed: String { String(reversed().drop { $0 == "\n" }.reversed()) }
}

extension WiringChoice {
    /// The profile of the wiring. A test requires one for every wiring.
    package var profile: Profile {
        guard let profile = Profile.all.first(where: { $0.choice == self }) else {
            preconditionFailure("the comparison has no profile of \(self)")
        }
        return profile
    }
}
