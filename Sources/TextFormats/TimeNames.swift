/// The words of dates and times in the languages of tills, in lower case and without points.
package enum TimeNames {
    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        // Marks are parts of the words of some languages.
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }

    /// The month, from 1, of a name such as `october`, `okt` or `août`.
    static func month(_ word: String) -> Int? { prefixed(word, in: months) }

    /// Whether a half of the day is the afternoon; nil for any other word.
    static func half(_ word: String) -> Bool? { halves[word] }

    package static func isWeekday(_ word: String) -> Bool {
        weekdays.contains(word) || (word.count > 2 && weekdays.contains(String(word.prefix(3))))
            || ["星期", "周", "週", "礼拜"].contains(where: word.hasPrefix)
            || ["요일", "曜日", "曜"].contains(where: word.hasSuffix)
    }

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    private static func prefixed(_ word: String, in table: [String: Int]) -> Int? {
        (2...5).reversed().lazy.compactMap { length in word.count < length ? nil : table[String(word.prefix(length))] }
            .first
    }

    /// The beginnings of the names of months, from January.
    private static let months: [String: Int] = {
        let names = [
            "jan ene gen led sty ian янв січ oca tam ιαν", "feb fev fév féb lut úno febr фев лют şub hel φεβ",
            "mar mär maa mrt már bře марта мар бер μαρ", "apr abr avr ápr kwi dub апр кві nis huh απρ",
            "may mai maj mag mei máj kvě май мая тра tou μαι μαϊ",
            "jun juin giu jún cze červn иун июн чер haz kes ιουν",
            "jul juil lug júl lip červe čvc июл лип tem hei ιουλ", "aug ago aou aoû agu ağu sie srp авг сер elo αυγ",
            "sep set szep wrz zář сен вер eyl syy σεπ", "oct okt ott out paź říj окт жов eki lok οκτ",
            "nov lis ноя лис kas marra νοε", "dec dez dic déc des gru pro дек гру ara jou δεκ",
        ]
        var table: [String: Int] = [:]
        for (index, names) in names.enumerated() {
            for name in words(names) { table[name] = index + 1 }
        }
        return table
    }()

    private static let halves: [String: Bool] = {
        let mornings = words(
            "am 오전 上午 午前 凌晨 清晨 早上 de öö fm ap dop vm fh el rano дп صباحا ص πμ sa pg पूर्वाह्न ก่อนเที่ยง قظ")
        let afternoons = words(
            "pm 오후 下午 午後 中午 晚上 傍晚 du ös em ip odp nm eh pl odpoledne пп مساء م μμ ch ptg अपराह्न หลังเที่ยง بظ")
        var table: [String: Bool] = [:]
        for word in mornings { table[word] = false }
        for word in afternoons { table[word] = true }
        return table
    }()

    /// The same by their bytes, which need no text.
    static let halvesOfBytes = Dictionary(uniqueKeysWithValues: halves.map { (Array($0.key.utf8), $0.value) })
    static let monthsOfBytes = Dictionary(uniqueKeysWithValues: months.map { (Array($0.key.utf8), $0.value) })

    private static let weekdays = words(
        """
        mon tue wed thu fri sat sun mo di mi do fr sa so lun mar mer jeu ven sam dim mié mie jue vie sáb sab dom gio \
        seg ter qua qui sex maa din woe don vri zat zon ma wo vr za zo mån tis ons tor fre lör sön пон вто сре чет пят \
        суб вос пн вт ср чт пт сб вс pon wto śro czw pią sob nie po út st čt pá ne paz pzt sal çar per cum cmt mit \
        월 화 수 목 금 토 일 月 火 水 木 金 土 日
        """)
}
