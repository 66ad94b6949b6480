import Platform

/// How displays show a fruit. Nothing that happens depends on it.
package struct FruitFace: Equatable, Sendable {
    /// `#rrggbb`.
    package var colour: String
    /// An emoji, or a few letters.
    package var picture: String

    /// The usual face of a fruit, where it has no colour or no picture of its own.
    package init(of fruit: String, colour: String?, picture: String?) {
        self.init(of: [fruit])
        self.colour = colour ?? self.colour
        self.picture = picture ?? self.picture
    }

    /// The usual face of a fruit with one of these names; else a neutral colour and the first letter of the first name.
    package init(of names: [String]) {
        let usual = names.lazy.compactMap { Self.usual[$0.lowercased()] }.first
        colour = usual?.colour ?? "#8a8f98"
        let letter = names[0].first.map { String($0).uppercased() } ?? ""
        picture = usual?.picture ?? (letter.utf8.count > 16 ? String(letter.unicodeScalars.prefix(1)) : letter)
    }

    package static func isColour(_ text: String) -> Bool {
        text.utf8.count == 7 && text.first == "#" && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// Whether a text without control characters is one emoji, or not longer than 16 bytes.
    package static func isPicture(_ text: String) -> Bool {
        let isEmoji = text.count == 1 && text.unicodeScalars.contains { $0.properties.isEmojiPresentation }
        return !text.isEmpty && text.utf8.count <= (isEmoji ? 64 : 16)
    }

    /// Red, green and blue, from 0 to 255.
    package var components: [Int] {
        let number = Int(colour.dropFirst(), radix: 16) ?? 0
        return [number >> 16 & 255, number >> 8 & 255, number & 255]
    }

    /// Black or white, whichever stands out more from the colour: the contrast is at least 4.5 to 1.
    ///
    /// Source: relative luminance in the Web Content Accessibility Guidelines 2.2.
    package var labelColour: String {
        let linear = components.map { component in
            let share = Double(component) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        // Where the contrasts with both are equal: (L + .05)² = 1.05 × .05.
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.1791 ? "#000000" : "#ffffff"
    }

    /// The picture up to the first joiner, for what can't show joined emoji.
    package var plainPicture: String {
        String(picture.unicodeScalars.prefix { $0.properties.generalCategory != .format })
    }
}

// MARK: - Usual fruits and ingredients

extension FruitFace {
    /// The usual faces by name in English and Korean, in lower case. Without a picture, displays show the first letter
    /// of the fruit's own name.
    package static let usual: [String: (colour: String, picture: String?)] = {
        var usual: [String: (colour: String, picture: String?)] = [:]
        for row in rows {
            for name in row[..<2] { usual[name] = ("#" + row[2], row[3] == "-" ? nil : row[3]) }
        }
        return usual
    }()

    /// The Korean names by the English ones, in lower case.
    package static let koreanNames = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })

    /// One row for each fruit: name in English, name in Korean, colour, picture.
    private static let rows: [[String]] = {
        let rows = """
            strawberry 딸기 e4344b 🍓,banana 바나나 f6d743 🍌,kiwi 키위 8cb63c 🥝,pineapple 파인애플 f2b705 🍍
            mango 망고 ff9f1c 🥭,apple 사과 d62839 🍎,pear 배 c5d86d 🍐,orange 오렌지 f77f00 🍊,mandarin 귤 fb8b24 🍊
            lemon 레몬 ffe94e 🍋,lime 라임 7cb518 -,grapefruit 자몽 f26a5a -,watermelon 수박 e23e57 🍉,melon 멜론 a8d08d 🍈
            grape 포도 6f2da8 🍇,cherry 체리 b0122f 🍒,peach 복숭아 ffb088 🍑,plum 자두 8e4585 -,apricot 살구 fbb36b -
            blueberry 블루베리 4f6db8 🫐,raspberry 라즈베리 d4245c -,blackberry 블랙베리 3b1f4a -,cranberry 크랜베리 9e1b32 -
            fig 무화과 7b3f61 -,pomegranate 석류 b11e3b -,papaya 파파야 ff8552 -,passion_fruit 패션프루트 5e2750 -
            guava 구아바 f2808a -,lychee 리치 f4b6c2 -,dragon_fruit 용과 e0218a -,persimmon 감 f2711c -,coconut 코코넛 8d6e53 🥥
            avocado 아보카도 568203 🥑,tomato 토마토 e5392d 🍅,carrot 당근 ed7d23 🥕,cucumber 오이 5a9e3d 🥒,beet 비트 8e2145 -
            spinach 시금치 3f7d3a 🥬,kale 케일 2f6b3a 🥬,celery 셀러리 9bc53d -,sweet_potato 고구마 8a3d6b 🍠
            pumpkin 호박 e8871e 🎃,ginger 생강 d9b36c -,mint 민트 3eb489 🌿,honey 꿀 e5a50a 🍯,milk 우유 f3efe4 🥛
            yogurt 요거트 f7f3ea -,ice 얼음 bfe3f2 🧊,water 물 7ec8e3 💧,sugar 설탕 f5f5f0 -,coffee 커피 6f4e37 ☕
            green_tea 녹차 8aa83c 🍵,chocolate 초콜릿 5c3a21 🍫,peanut 땅콩 c69c6d 🥜
            """
        // Bytes, because every start of the program waits for it.
        return rows.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") }.map { row in
            row.split(separator: UInt8(ascii: " ")).map { word in
                String(decoding: word.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
            }
        }
    }()
}
