import Foundation
import Testing

/// The page in a real browser, served by the real program.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Browser.isInstalled, "no chromedriver here; Debian has it in chromium-driver"))
struct BrowserTests {
    @Test func `an order is made, and its juice announced in the original words`() async throws {
        try await OpenStand.with(OpenStand.quiet) { stand in
            try await Browser.with { browser in
                try await browser.open(stand.link)
                try await browser.wait(for: "#state", toSay: "live")
                #expect(try await browser.value("location.href") as? String == stand.url)
                try await browser.click("[data-juice='banana juice'] .main")
                try await browser.wait(for: "#toasts", toSay: "Order 1: banana juice, being made")
                try await browser.wait(for: "#toasts", toSay: "Banana juice is ready, enjoy!")
                try await browser.wait(for: "#ordered", toSay: "Order 1: banana juice × 1, served")
                try await browser.wait(for: "[data-juice='banana juice'] .amount", toSay: "8 in hand")
                #expect(try await stand.status()["served"] as? Int == 1)
                #expect(try await browser.errors() == [])
            }
        }
    }

    @Test func `a shortage leads to the stock screen, whose batch of differences lets the order succeed`() async throws
    {
        try await OpenStand.with(OpenStand.quiet) { stand in
            try await Browser.with { browser in
                try await browser.open(stand.link)
                try await browser.wait(for: "#state", toSay: "live")
                #expect(try await browser.text("[data-juice='strawberry juice'] .missing .amount") == "6 missing")
                try await browser.click("[data-juice='strawberry juice'] .main")
                try await browser.wait(for: "#question-title", toSay: "Not enough fruit. Change the stock?")
                #expect(try await browser.text("#question-words") == "6 strawberry missing for strawberry juice.")
                try await browser.click("#question-actions .main")
                try await browser.wait(for: "document.getElementById('stock').open")
                for _ in 1...6 { try await browser.click("[data-fruit=strawberry] .stepper button:last-child") }
                try await browser.click("#stock-rows [data-fruit=kiwi] .stepper button:first-child")
                try await browser.wait(for: "#stock-close", toSay: "Close and change 2")
                // A copy is edited: the stand knows nothing yet.
                #expect(try await stand.levels()["strawberry"] == 10)
                try await browser.click("#stock-close")
                try await browser.wait(for: "!document.getElementById('stock').open")
                let levels = try await stand.levels()
                #expect(levels["strawberry"] == 16 && levels["kiwi"] == 9)
                #expect(try await stand.status()["editTag"] as? Int == 1)
                try await browser.click("[data-juice='strawberry juice'] .main")
                try await browser.wait(for: "#toasts", toSay: "Strawberry juice is ready, enjoy!")
                #expect(try await stand.levels()["strawberry"] == 0)
                // The browser itself reports the refused order, and nothing else is wrong.
                let errors = try await browser.errors()
                #expect(errors.count == 1 && errors[0].contains("409"), "\(errors)")
            }
        }
    }

    @Test func `two who edit at the same time are told of each other, and no difference is lost`() async throws {
        try await OpenStand.with(OpenStand.quiet) { stand in
            try await Browser.with { first in
                try await Browser.with { second in
                    for browser in [first, second] {
                        try await browser.open(stand.link)
                        try await browser.wait(for: "#state", toSay: "live")
                        try await browser.click("#stock-button")
                        try await browser.wait(for: "document.getElementById('stock').open")
                    }
                    try await second.click("#stock-rows [data-fruit=kiwi] .stepper button:last-child")
                    try await first.click("#stock-rows [data-fruit=mango] .stepper button:last-child")
                    try await first.click("#stock-close")
                    try await second.wait(for: "#stock-notice", toSay: "mango 10 → 11")
                    #expect(try await second.text("#stock-notice").contains("Somebody else has changed the stock"))
                    #expect(try await second.text("#stock-rows [data-fruit=mango] td") == "11")
                    try await second.click("#stock-close")
                    try await second.wait(for: "!document.getElementById('stock').open")
                    let levels = try await stand.levels()
                    #expect(levels["mango"] == 11 && levels["kiwi"] == 11)
                    #expect(try await second.errors() == [])
                }
            }
        }
    }

    @Test func `an edit on top of one that was not heard of is refused, and made when it is confirmed`() async throws {
        try await OpenStand.with(OpenStand.quiet) { stand in
            try await Browser.with { browser in
                try await browser.block("*/api/v1/events*")
                try await browser.open(stand.link)
                try await browser.wait(for: "document.querySelector('[data-juice]')")
                try await browser.click("#stock-button")
                try await browser.wait(for: "document.getElementById('stock').open")
                try await stand.send("POST", "api/v1/stock/changes", [:], #"{"changes": {"kiwi": 5}}"#)
                try await browser.click("#stock-rows [data-fruit=kiwi] .stepper button:last-child")
                try await browser.click("#stock-close")
                try await browser.wait(for: "#stock-notice", toSay: "Somebody else has changed the stock")
                #expect(try await stand.levels()["kiwi"] == 15)
                #expect(try await browser.text("#stock-rows [data-fruit=kiwi] td") == "15")
                #expect(try await browser.value("document.getElementById('stock').open") as? Bool == true)
                try await browser.click("#stock-close")
                try await browser.wait(for: "!document.getElementById('stock').open")
                #expect(try await stand.levels()["kiwi"] == 16)
            }
        }
    }

    @Test func `Korean is spoken where the browser speaks it, and English on demand`() async throws {
        try await OpenStand.with(OpenStand.quiet) { stand in
            try await Browser.with(Browser.Look(language: "ko")) { browser in
                try await browser.open(stand.link)
                try await browser.wait(for: "#state", toSay: "연결됨")
                #expect(try await browser.value("document.documentElement.lang") as? String == "ko")
                let names = try await browser.value(
                    "[...document.querySelectorAll('#juices h3')].map(n => n.textContent)")
                #expect(
                    names as? [String] == ["딸기쥬스", "바나나쥬스", "키위쥬스", "파인애플쥬스", "딸바쥬스", "망고쥬스", "망키쥬스"])
                #expect(try await browser.text("#juices .main") == "주문")
                try await browser.click("[data-juice='banana juice'] .main")
                try await browser.wait(for: "#toasts", toSay: "바나나쥬스 나왔습니다! 맛있게 드세요!")
                try await browser.click("[data-juice='strawberry juice'] .main")
                try await browser.wait(for: "#question-title", toSay: "재료가 모자라요. 재고를 수정할까요?")
                #expect(try await browser.text("#question-actions") == "아니오예")
                try await browser.click("#question-actions .main")
                try await browser.wait(for: "#stock-title", toSay: "재고 수정")
                #expect(try await browser.text("#stock-close") == "닫기")
                try await browser.click("#stock-close")
                try await browser.click("#language")
                try await browser.wait(for: "#stock-button", toSay: "Change the stock")
                #expect(try await browser.text("[data-juice='kiwi juice'] h3") == "Kiwi juice")
            }
        }
    }

    @Test func `the keyboard alone is enough`() async throws {
        try await OpenStand.with(OpenStand.quiet) { stand in
            try await Browser.with { browser in
                try await browser.open(stand.link)
                try await browser.wait(for: "#state", toSay: "live")
                try await browser.press(Key.tab)
                #expect(try await browser.value("document.activeElement.className") as? String == "skip")
                try await browser.tab(to: "document.activeElement.id === 'tab-order'")
                try await browser.press(Key.right)
                try await browser.wait(
                    for: "document.activeElement.id === 'tab-live' && !document.getElementById('live').hidden")
                try await browser.press(Key.left)
                try await browser.tab(to: "document.activeElement.ariaLabel === 'Order strawberry juice'")
                try await browser.press(Key.enter)
                try await browser.wait(for: "document.activeElement.textContent === 'Yes'")
                // The focus stays in a dialog.
                for _ in 1...6 {
                    try await browser.press(Key.tab)
                    #expect(
                        try await browser.value(
                            "document.activeElement === document.body || !!document.activeElement.closest('#question')")
                            as? Bool == true)
                }
                try await browser.tab(to: "document.activeElement.textContent === 'Yes'")
                try await browser.press(Key.enter)
                try await browser.wait(
                    for:
                        "document.activeElement.closest('#stock')?.open && document.activeElement.ariaLabel === 'strawberry'"
                )
                for _ in 1...6 { try await browser.press(Key.up) }
                try await browser.tab(to: "document.activeElement.id === 'stock-close'")
                #expect(try await browser.text("#stock-close") == "Close and change 1")
                try await browser.press(Key.enter)
                try await browser.wait(for: "!document.getElementById('stock').open")
                #expect(try await stand.levels()["strawberry"] == 16)
                // And comes back to where it was.
                try await browser.wait(for: "document.activeElement.ariaLabel === 'Order strawberry juice'")
                try await browser.press(Key.enter)
                try await browser.wait(for: "#toasts", toSay: "Strawberry juice is ready, enjoy!")
                try await browser.tab(to: "document.activeElement.id === 'stock-button'")
                try await browser.press(Key.enter)
                try await browser.wait(for: "document.getElementById('stock').open")
                try await browser.press(Key.escape)
                try await browser.wait(for: "!document.getElementById('stock').open")
            }
        }
    }
}
