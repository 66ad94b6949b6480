// `makers`: one number, or a list of shifts.

extension SettingsReader {
    /// The number of makers, or `Int.max` for `"unlimited"`; nil for shifts.
    func readMakers(_ section: Section) -> Int? {
        guard let node = section.node("makers") else { return nil }
        if case .object = node.value { return nil }
        return section.limit("makers", orElse: ", \"unlimited\" or {\"shifts\": …}")
    }

    /// The shifts; nil if `makers` is a number.
    func readShifts(_ section: Section) -> StandSettings.Shifts? {
        guard let node = section.node("makers"), case .object = node.value,
            let makers = section.section("makers"), let shifts = makers.section("shifts")
        else { return nil }
        let every = shifts.duration("every")
        let repeats = shifts.bool("repeat") ?? false
        let numbers = shifts.integers("makers", "numbers of makers")
        guard let every, let numbers else { return nil }
        return StandSettings.Shifts(every: every, makers: numbers, repeats: repeats)
    }
}
