import Dispatch
import Foundation
import JuiceStand
import Synchronization
import TestSupport
import Testing

/// How long a thread sleeps. On systems without such timers there is nothing to be tested.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct AlarmTests {
    @Test(arguments: [0, 1, 50_000, 3_000_000])
    func `sleep does not end early`(nanoseconds: Int) {
        guard let alarm = Alarm() else { return }
        for _ in 0..<5 {
            let time = DispatchTime.now() + .nanoseconds(nanoseconds)
            alarm.sleep(until: time)
            #expect(DispatchTime.now() >= time)
        }
    }

    @Test func `ring ends a sleep and a past instant is not waited for`() {
        guard let alarm = Alarm() else { return }
        alarm.sleep(until: DispatchTime(uptimeNanoseconds: 1))
        let isAwake = Atomic(false)
        Thread {
            // One that comes before the sleep is missed.
            while !isAwake.load(ordering: .acquiring) {
                alarm.ring()
                usleep(100)
            }
        }.start()
        let time = DispatchTime.now() + .seconds(300)
        alarm.sleep(until: time)
        isAwake.store(true, ordering: .releasing)
        #expect(DispatchTime.now() < time)
    }
}
