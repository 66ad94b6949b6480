import Foundation
import TestSupport
import Testing

extension PictureBrowserTests {
    /// The layout of the picture at all widths, with few and many fruits and makers, in both languages.
    struct PictureTests {
        private static let one = """
            { "stand": "one", "makers": 1, "fruits": { "banana": { "initial": 400, "lowStock": 20 } },
              "menu": { "banana juice": { "recipe": { "banana": 2 } } },
              "customers": { "arrivals": { "poisson": { "perSecond": 0.05 } } } }
            """

        /// Twelve fruits, some with long names, and forty makers of whom not all are always on duty.
        private static let many: String = {
            let names = [
                "strawberry", "banana", "kiwi", "pineapple", "mango", "orange", "mint", "ice", "apple",
                "dragon fruit of the south", "a fruit whose name is far too long for any crate", "plum",
            ]
            let fruits = names.map { name in
                #""\#(name)": { "initial": \#(name == "ice" ? #""unlimited""# : "90000"), "lowStock": 80000 }"#
            }
            let juices = names.map { #""juice of \#($0)": { "recipe": { "\#($0)": 2 } }"# }
            return """
                { "stand": "many", "makers": { "shifts": { "every": "5m", "makers": [40, 25], "repeat": true } },
                  "queue": { "limit": 100 }, "fruits": { \(fruits.joined(separator: ", ")) },
                  "menu": { \(juices.joined(separator: ", ")) },
                  "customers": { "arrivals": { "poisson": { "perSecond": 1.2 } }, "patience": { "exponential": { "mean": "1m" } } } }
                """
        }()

        /// Notes the box of every text of the latest whole picture, and the size of the canvas.
        private static let notes = """
            const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
            let boxes = [];
            CanvasRenderingContext2D.prototype.clearRect = function (...values) {
                window.drawn = { boxes, width: values[2], height: values[3], number: (window.drawn?.number ?? 0) + 1 };
                boxes = window.drawn.boxes = [];
                return clearRect.apply(this, values);
            };
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
                const size = this.measureText(text);
                boxes.push({ text, left: x - size.actualBoundingBoxLeft, right: x + size.actualBoundingBoxRight,
                    top: y - size.actualBoundingBoxAscent, bottom: y + size.actualBoundingBoxDescent });
                return fillText.call(this, text, x, y);
            };
            window.faults = () => {
                const { boxes, width, height } = window.drawn;
                const outside = boxes.filter(({ left, right, top, bottom }) => left < -.5 || top < -.5 || right > width + .5 || bottom > height + .5);
                const pairs = boxes.flatMap((one, place) => boxes.slice(place + 1).filter((other) =>
                    one.left < other.right - .5 && other.left < one.right - .5 && one.top < other.bottom - .5 && other.top < one.bottom - .5)
                    .map((other) => `${one.text} on ${other.text}`));
                return [...outside.map(({ text }) => `${text} leaves the picture`), ...pairs];
            };
            """

        /// The narrowest, a usual one and the widest; in a study all that are promised.
        private static let sizes =
            [(320, 568), (1280, 800), (2560, 1440)] + (Study.isFull ? [(390, 844), (640, 900), (1920, 1080)] : [])
        /// Flows and people; in a study all speeds of the promise.
        private static let speeds = Study.isFull ? [3000, 600, 60, 1] : [3000, 60]

        /// A stand of the tests, or one of the folder `config`.
        private static func configuration(_ name: String) throws -> String {
            switch name {
            case "one": one
            case "many": many
            default: try Program.text("config/\(name).json")
            }
        }

        @Test(arguments: ["stand", "rush-hour", "one", "many"])
        func `no text overlaps another one or leaves the picture, at any size, speed and language`(
            name: String
        ) async throws {
            try await OpenStand.with(Self.configuration(name), ["--speed", "600"]) { stand in
                // Something has happened before anybody looks.
                try await stand.wait { try #require(try await $0.status()["time"] as? Double) > 600 }
                for language in ["en", "ko"] {
                    try await Browser.with(Browser.Look(language: language)) { browser in
                        try await browser.visit(stand.link, view: "scene")
                        try await browser.run(Self.notes)
                        for speed in Self.speeds {
                            try await stand.send("PUT", "api/v1/speed", "{\"speed\": \(speed)}")
                            for (width, height) in Self.sizes {
                                try await Self.check(browser, width, height, "\(width) pixels, \(language), × \(speed)")
                            }
                        }
                        // The fastest stand disconnects a browser that reads too slowly; it connects again.
                        let errors = try await browser.errors().filter { !$0.contains("/api/v1/events") }
                        #expect(errors == [])
                    }
                }
            }
        }

        /// Looks at the first picture of a size, and at another one when time has passed.
        private static func check(
            _ browser: Browser, _ width: Int, _ height: Int, _ comment: Comment
        ) async throws {
            try await browser.show(isDark: width % 3 == 0, width: width, height: height)
            let isSized = "window.drawn?.width === document.getElementById('picture').clientWidth"
            let isDrawn = "\(isSized) && window.drawn.boxes.length > 3"
            let number = try await browser.wait(for: "\(isDrawn) && window.drawn.number")
            #expect(try await browser.value("window.faults()") as? [String] == [], comment)
            #expect(try #require(await browser.value("document.documentElement.scrollWidth") as? Int) <= width, comment)
            try await browser.wait(for: "window.drawn.number > \(try #require(number as? Int))")
            #expect(try await browser.value("window.faults()") as? [String] == [], comment)
        }

        @Test func `the picture shows people up to a rate of arrivals, and flows above it`() async throws {
            try await OpenStand.visit(LiveTests.busy, ["--speed", "10"], view: "scene") { stand, browser in
                try await browser.run(Self.notes)
                let isFlowing = "window.drawn?.boxes.some(({ text }) => text.endsWith(' a minute'))"
                try await browser.wait(for: "window.drawn?.boxes.length > 3")
                #expect(try await browser.value(isFlowing) as? Bool == false)
                // Sixty arrive in a real second, by the speed or by the rate.
                for (speed, factor) in [(1000, 1.0), (10, 1), (50, 20), (50, 0.1)] {
                    try await stand.send("PUT", "api/v1/speed", "{\"speed\": \(speed)}")
                    try await stand.send("PUT", "api/v1/rate", "{\"factor\": \(factor)}")
                    let isMuch = Double(speed) * factor > 100
                    try await browser.wait(for: isMuch ? isFlowing : "!(\(isFlowing))")
                }
            }
        }
    }
}
