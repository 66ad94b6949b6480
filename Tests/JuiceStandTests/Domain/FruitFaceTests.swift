import Foundation
import JuiceStand
import Testing

struct FruitFaceTests {
    /// The contrast ratio of two colours in the Web Content Accessibility Guidelines.
    private static func contrast(_ one: String, _ other: String) -> Double {
        func luminance(_ colour: String) -> Double {
            let shares = [1, 3, 5].map { place -> Double in
                let start = colour.index(colour.startIndex, offsetBy: place)
                let share = Double(Int(colour[start...].prefix(2), radix: 16)!) / 255
                return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
            }
            return zip(shares, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let both = [luminance(one), luminance(other)].sorted()
        return (both[1] + 0.05) / (both[0] + 0.05)
    }

    private static func configuration(_ members: String, of name: String) -> String {
        #"{"fruits": {"\#(name)": {\#(members)}}, "menu": {"j": {"recipe": {"\#(name)": 1}}}}"#
    }

    private static func face(_ members: String, of name: String = "kiwi") throws -> FruitFace {
        try settings(configuration(members, of: name)).menu.fruits[0].face
    }

    /// The label is on the fruit's own colour, so the theme does not matter.
    @Test func `every usual fruit has a label that can be read on its colour`() {
        #expect(FruitFace.usual.count >= 80)
        for (name, usual) in FruitFace.usual {
            let face = FruitFace(of: [name])
            #expect(face.colour == usual.colour && FruitFace.isColour(face.colour), "\(name)")
            #expect(FruitFace.isPicture(face.picture), "\(name)")
            #expect(Self.contrast(face.colour, face.labelColour) >= 4.5, "\(name): \(face)")
        }
    }

    @Test func `a label can be read on any colour`() {
        var face = FruitFace(of: ["?"])
        for _ in 0..<20_000 {
            face.colour = "#" + (0..<6).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
            #expect(Self.contrast(face.colour, face.labelColour) >= 4.5, "\(face)")
        }
    }

    @Test func `a usual fruit is known by its name in English or Korean`() throws {
        for name in ["kiwi", "Kiwi", "키위"] {
            let face = try Self.face("", of: name)
            #expect(face.colour == "#8cb63c" && face.picture == "🥝" && face.labelColour == "#000000")
        }
        #expect(try Self.face(#""names": {"ko": "망고"}"#, of: "mangue") == FruitFace(of: ["mango"]))
        // A usual fruit without an emoji, and an unknown one.
        let fig = try Self.face("", of: "fig")
        let other = try Self.face("", of: "quince")
        #expect(fig.picture == "F" && fig.colour == "#7b3f61" && fig.labelColour == "#ffffff")
        #expect(other.picture == "Q" && other.colour == "#8a8f98")
    }

    @Test(arguments: [
        (##""colour": "#0A0b0C""##, "#0A0b0C", "🥝"), (##""picture": "KW""##, "#8cb63c", "KW"),
        (#""picture": "👨‍👩‍👧‍👦""#, "#8cb63c", "👨‍👩‍👧‍👦"), (#""picture": "키위키위키""#, "#8cb63c", "키위키위키"),
    ])
    func `a fruit may have a face of its own`(members: String, colour: String, picture: String) throws {
        let face = try Self.face(members)
        #expect(face.colour == colour && face.picture == picture)
    }

    @Test(arguments: [
        (##""colour": "red""##, ##"fruits.kiwi.colour: must be a colour such as "#e4344b", found "red""##),
        (##""colour": "#12345""##, "fruits.kiwi.colour: must be a colour"),
        (##""colour": "#12345g""##, "fruits.kiwi.colour: must be a colour"),
        (##""colour": 7"##, "fruits.kiwi.colour: must be a string"),
        (#""picture": """#, #"fruits.kiwi.picture: must be one emoji or 1 to 16 bytes of text, found """#),
        (#""picture": "12345678901234567""#, "fruits.kiwi.picture: must be one emoji or"),
        (#""picture": "키위키위키위""#, "fruits.kiwi.picture: must be one emoji or"),
        (#""picture": "a\u0007""#, "fruits.kiwi.picture: must be a string without control characters"),
        (##""color": "#123456""##, ##"fruits.kiwi.color: unknown key; did you mean "colour"?"##),
    ])
    func `a face that no display can show is refused`(members: String, message: String) {
        expectProblem(Self.configuration(members, of: "kiwi"), message)
    }

    @Test func `a face changes neither the fingerprint nor the configuration in results, and no event tells of it`()
        throws
    {
        let plain = #"{"fruits": {"kiwi": {}}, "menu": {"j": {"recipe": {"kiwi": 1}}}}"#
        let old = try settings(plain)
        let new = try settings(plain.replacing("{}", with: ##"{"colour": "#123456", "picture": "K"}"##))
        #expect(old != new && old.fingerprint == new.fingerprint && old.resolvedAnywhere() == new.resolvedAnywhere())
        #expect(try settings(new.resolved().compact()) == new)
        let kiwi = old.resolved()["fruits"]?["kiwi"]
        #expect(kiwi?["colour"] == "#8cb63c" && kiwi?["picture"] == "🥝")
        let difference = SettingsDifference(from: old, to: new)
        #expect(difference.changes.map(\.key) == ["fruits.kiwi.colour", "fruits.kiwi.picture"])
        #expect(difference.announced == [] && difference.obstacles == [])
        let more = try settings(plain.replacing("{}", with: ##"{"names": {"colour": "x"}, "colour": "#123456"}"##))
        #expect(SettingsDifference(from: old, to: more).announced.map(\.key) == ["fruits.kiwi.names"])
    }
}
