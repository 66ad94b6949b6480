// `makers`: one number, or a list of shifts.

extension SettingsReader {
    /// The most makers of one shift.
    private static let mostMakers = 1_000_000

    /// The number of makers, or `Int.max` for `"unlimited"`; nil for shifts.
    func readMakers(_ section: Section) -> Int? {
        guard let node = section.node("makers") else { return nil }
        if case .object = node.value { return nil }
        return section.limit("makers", 1...Self.mostMakers, orElse: ", \"unlimited\" or {\"shifts\": …}")
    }

    /// The shifts; nil if `makers` is a number.
    func readShifts(_ section: Section) -> StandSettings.Shifts? {
        guard let node = section.node("makers"), case .object = node.value,
            let makers = section.section("makers", keys: ["shifts"])
        else { return nil }
        guard makers.has("shifts") else {
            makers.reportMissing("shifts", "{\"every\": …, \"makers\": […]}")
            return nil
        }
        guard let shifts = makers.section("shifts", keys: ["every", "makers", "repeat"]) else { return nil }
        if !shifts.has("every") { shifts.reportMissing("every", "a duration") }
        let every = shifts.duration("every")
        let repeats = shifts.bool("repeat") ?? false
        let path = shifts.path(of: "makers")
        guard let nodes = shifts.list("makers", of: "numbers of makers") else { return nil }
        let numbers = nodes.enumerated().compactMap { report.integer($1, "\(path)[\($0)]", 0...Self.mostMakers) }
        guard let every, numbers.count == nodes.count else { return nil }
        return StandSettings.Shifts(every: every, makers: numbers, repeats: repeats)
    }
}
