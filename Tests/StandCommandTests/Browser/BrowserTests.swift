import Foundation
import Testing

/// The page in a real browser, served by the real program. One test runs at a time, because a browser is demanding.
///
/// No test limits how long something takes, except to end a hang.
@Suite(.serialized, .timeLimit(.minutes(60)), .oneBrowser, .whereBrowserIsInstalled)
enum BrowserTests {}

/// Tests of the page that mostly wait for a stand, in a browser of their own beside that of ``BrowserTests``.
@Suite(.serialized, .timeLimit(.minutes(60)), .oneBrowser, .whereBrowserIsInstalled)
enum PatientBrowserTests {}

/// Tests of the picture of a stand, most of whose time goes into hundreds of scenes, in a third browser.
@Suite(.serialized, .timeLimit(.minutes(60)), .oneBrowser, .whereBrowserIsInstalled)
enum SceneBrowserTests {}

/// Tests of the picture at all its sizes, most of whose time goes into drawing, in a fourth browser.
@Suite(.serialized, .timeLimit(.minutes(60)), .oneBrowser, .whereBrowserIsInstalled)
enum PictureBrowserTests {}

extension BrowserTests {
    /// Orders, with the texts of the original screens.
    struct OrderingTests {
        @Test func `an order is served and announced in the original words`() async throws {
            try await OpenStand.visit { stand, browser in
                // The address no longer has the token.
                #expect(try await browser.value("location.href") as? String == stand.url)
                try await browser.click("[data-juice='banana juice'] .main")
                try await browser.wait(toHear: "Order 1: banana juice, being made")
                try await browser.wait(toHear: "Banana juice is ready, enjoy!")
                try await browser.wait(for: "#ordered", toSay: "Order 1: banana juice × 1, ready")
                try await browser.wait(for: "[data-juice='banana juice'] .amount", toSay: "8 in hand")
                #expect(try await stand.status()["served"] as? Int == 1)
            }
        }

        @Test func `a shortage leads to the stock screen, and a restock lets the order succeed`() async throws {
            try await OpenStand.visit { stand, browser in
                #expect(try await browser.text("[data-juice='strawberry juice'] .missing .amount") == "6 missing")
                // Nine cups need 18 mangos and 9 kiwis; there are ten of each.
                try await browser.run(
                    """
                    const input = document.querySelector("[data-juice='mango kiwi juice'] .stepper input");
                    input.value = 9;
                    input.oninput();
                    """)
                try await browser.click("[data-juice='mango kiwi juice'] .buy .main")
                try await browser.wait(for: "#question-title", toSay: "Not enough fruit. Change the stock?")
                #expect(try await browser.text("#question-words") == "8 mango missing for mango kiwi juice.")
                #expect(try await browser.text("#question-actions") == "NoYes")
                try await browser.click("#question-actions .main")
                try await browser.wait(for: "document.getElementById('stock').open")
                // What is missing is filled in.
                for (fruit, missing) in ["mango": "+8", "kiwi": ""] {
                    #expect(try await browser.text("#stock-rows [data-fruit=\(fruit)] td:last-child") == missing)
                }
                try await browser.click("#stock-rows [data-fruit=kiwi] .stepper button:first-child")
                try await browser.wait(for: "#stock-close", toSay: "Save (2)")
                // The page edits a copy, so the stand has not changed yet.
                #expect(try await stand.levels()["mango"] == 10)
                try await browser.click("#stock-close")
                try await browser.wait(for: "!document.getElementById('stock').open")
                let levels = try await stand.levels()
                #expect(levels["mango"] == 18 && levels["kiwi"] == 9)
                // The batch is one edit.
                #expect(try await stand.status()["editTag"] as? Int == 1)
                try await browser.wait(for: "#question-title", toSay: "Place the order again?")
                try await browser.click("#question-actions .main")
                try await browser.wait(toHear: "Mango kiwi juice is ready, enjoy!")
                try await browser.wait(for: "#ordered", toSay: "mango kiwi juice × 9")
                #expect(try await stand.levels()["mango"] == 0)
                // The browser logs only the refused order.
                let errors = try await browser.errors()
                #expect(errors.count == 1 && errors[0].contains("409"), "\(errors)")
            }
        }

        @Test func `answering no leaves the stock unchanged, and another juice can be ordered`() async throws {
            try await OpenStand.visit { stand, browser in
                try await browser.click("[data-juice='strawberry juice'] .main")
                try await browser.wait(for: "#question-title", toSay: "Not enough fruit. Change the stock?")
                try await browser.click("#question-actions button:first-child")
                try await browser.wait(for: "!document.getElementById('question').open")
                #expect(try await browser.value("document.getElementById('stock').open") as? Bool == false)
                try await browser.click("[data-juice='strawberry juice'] .main")
                try await browser.wait(for: "#question-extra", toSay: "Available instead:")
                #expect(try await browser.text("#question-extra button") == "strawberry banana juice")
                try await browser.click("#question-extra button")
                try await browser.wait(toHear: "Strawberry banana juice is ready, enjoy!")
                #expect(try await stand.levels()["strawberry"] == 0)
                // The browser logs the refused orders.
                #expect(try await browser.errors().allSatisfy { $0.contains("409") })
            }
        }

        @Test func `the menu is filtered by fruit, availability and saved favourites`() async throws {
            try await OpenStand.visit { stand, browser in
                let shown = """
                    [...document.querySelectorAll('#juices > li:not([hidden])')].map((card) => card.dataset.juice).join()
                    """
                #expect(try await browser.value("document.querySelectorAll('#juices > li').length") as? Int == 7)
                try await browser.choose("#filter-fruit", "kiwi")
                try await browser.wait(for: "\(shown) === 'kiwi juice,mango kiwi juice'")
                try await browser.choose("#filter-fruit", "strawberry")
                try await browser.wait(for: "\(shown) === 'strawberry juice,strawberry banana juice'")
                try await browser.click("#filter-makeable")
                try await browser.wait(for: "\(shown) === 'strawberry banana juice'")
                try await browser.click("#filter-makeable")
                try await browser.choose("#filter-fruit", "")
                try await browser.wait(for: "\(shown).split(',').length === 7")
                try await browser.click("[data-juice='mango kiwi juice'] .star")
                try await browser.click("#filter-favourite")
                try await browser.wait(for: "\(shown) === 'mango kiwi juice'")
                // The most similar juice is recommended first.
                try await browser.wait(
                    for: "document.querySelector('#recommended li').textContent === 'Mango kiwi juiceyou like it'")
                let reasons = try await browser.value(
                    "[...document.querySelectorAll('#recommended .small')].map((node) => node.textContent)")
                #expect(
                    reasons as? [String] == ["you like it"]
                        + Array(repeating: "similar to mango kiwi juice", count: 2))
                #expect(try await browser.text("#juices p.small").hasSuffix("30 sec a cup"))
                try await browser.visit(stand.link)
                #expect(
                    try await browser.value("document.querySelector('.star[aria-pressed=true]').ariaLabel")
                        as? String == "Favourite: mango kiwi juice")
            }
        }

        @Test(arguments: [("points", "4.5 points"), ("EUR", "€4.50"), ("", "4.5 ")])
        func `a price is shown in the stand's currency`(currency: String, price: String) async throws {
            let configuration = """
                { "currency": "\(currency)", "customers": { "arrivals": { "renewal": "1000d" } },
                  "fruits": { "kiwi": { "initial": 10 } },
                  "menu": { "kiwi juice": { "recipe": { "kiwi": 2 }, "price": 4.5 } } }
                """
            try await OpenStand.visit(configuration) { _, browser in
                try await browser.wait(for: "document.querySelector(`[data-juice='kiwi juice']`)")
                #expect(try await browser.text("[data-juice='kiwi juice'] .head strong") == price)
                try await browser.wait(for: "[data-juice='kiwi juice'] .amount", toSay: "10 in hand")
            }
        }

        @Test func `the page follows the browser's language and can switch to English`() async throws {
            try await OpenStand.visit(look: .init(language: "ko")) { stand, browser in
                #expect(try await browser.text("#state") == "연결됨")
                #expect(try await browser.value("document.documentElement.lang") as? String == "ko")
                let names = try await browser.value(
                    "[...document.querySelectorAll('#juices h3')].map(n => n.textContent)")
                #expect(names as? [String] == ["딸기쥬스", "바나나쥬스", "키위쥬스", "파인애플쥬스", "딸바쥬스", "망고쥬스", "망키쥬스"])
                #expect(try await browser.text("#juices .main") == "주문")
                try await browser.click("[data-juice='banana juice'] .main")
                try await browser.wait(toHear: "바나나쥬스 나왔습니다! 맛있게 드세요!")
                try await browser.click("[data-juice='strawberry juice'] .main")
                try await browser.wait(for: "#question-title", toSay: "재료가 모자라요. 재고를 수정할까요?")
                #expect(try await browser.text("#question-words") == "딸기쥬스를 만들 딸기가 6개 모자랍니다.")
                #expect(try await browser.text("#question-actions") == "아니오예")
                try await browser.click("#question-actions .main")
                try await browser.wait(for: "#stock-title", toSay: "재고 수정")
                try await browser.wait(for: "#stock-close", toSay: "저장 (1개)")
                try await browser.click("#stock-discard")
                try await browser.wait(for: "!document.getElementById('stock').open")
                try await browser.click("#language")
                try await browser.wait(for: "#stock-button", toSay: "Change the stock")
                #expect(try await browser.text("[data-juice='kiwi juice'] h3") == "Kiwi juice")
                #expect(try await browser.value("document.documentElement.lang") as? String == "en")
                // The choice is stored.
                try await browser.visit(stand.link)
                #expect(try await browser.text("#stock-button") == "Change the stock")
                // The browser logs the refused orders.
                #expect(try await browser.errors().allSatisfy { $0.contains("409") })
            }
        }
    }
}
