import JuiceStand
import TestSupport
import Testing
import WiringComparison

/// The programs that the compiler is asked about.
@Suite(.timeLimit(.minutes(60)))
struct CompilerProbeTests {
    @Test func `the compiler has a verdict on every row of its own for every wiring`() async {
        let found = await onItsOwnThread {
            CompilerProbe(timeout: .seconds(500)).check(WiringChoice.compared, Property.allCases) { true }
        }
        for choice in WiringChoice.compared {
            for property in Property.allCases
            where property.source == .compiler && choice.reasonNotToApply(property) == nil {
                let finding = found[choice]?[property]
                #expect(finding?.holds != nil, "\(choice) \(property): \(finding?.evidence ?? "no program")")
            }
        }
        func holds(_ choice: WiringChoice, _ property: Property) -> Bool? { found[choice]?[property]?.holds }
        // What experts know, as a check of the programs.
        #expect(holds(.foundationNotification, .nameAndPayloadCheckedByCompiler) == false)
        #expect(holds(.notification, .nameAndPayloadCheckedByCompiler) == true)
        #expect(holds(.delegate, .everyObserverHandlesEveryEvent) == true)
        #expect(holds(.closure, .everyObserverHandlesEveryEvent) == false)
        #expect(holds(.direct, .postLeadsToItsHandler) == true)
        #expect(holds(.delegate, .postLeadsToItsHandler) == false)
        #expect(holds(.direct, .posterNamesNoObserver) == false)
        #expect(holds(.closure, .posterNamesNoObserver) == true)
        #expect(holds(.closure, .callersIsolationIsKept) == true)
        #expect(holds(.closureLocked, .callersIsolationIsKept) == false)
        #expect(holds(.multicastDelegate, .answersBack) == true)
        #expect(holds(.notification, .acceptsInoutPayload) == false)
        #expect(holds(.closure, .acceptsNoncopyablePayload) == true)
    }
}
