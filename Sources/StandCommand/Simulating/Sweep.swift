import JuiceStand
import StandExperiments
import TextFormats

/// Parameter sweeps: the keys of `--vary` and all combinations of their values.
enum Sweep {
    /// A larger sweep is most likely a mistake.
    private static let mostSettings = 10_000

    /// The combinations that an option describes; nil if there are more than 2^53.
    static func grid(_ option: Option<[Grid.Axis]>, _ options: Options) throws(CommandFailure) -> Grid? {
        var known: Set<String> = []
        for axis in options[option] where !known.insert(axis.keyPath).inserted {
            throw CommandFailure(
                .usage, "\(option.name) \(axis.keyPath) is given twice; give all values in one list")
        }
        return Grid(options[option])
    }

    /// All combinations, the last key varying fastest. Without `--vary`, the stand itself.
    ///
    /// - Throws: all configuration errors of all combinations, each once. An error that does not depend on the value of
    ///   its key is reported for the first value.
    static func settings(
        _ vary: Option<[Grid.Axis]>, _ options: Options, of stand: StandOptions
    ) throws(CommandFailure) -> [Experiment.Setting] {
        guard let grid = try grid(vary, options), grid.count <= mostSettings else {
            throw CommandFailure(.usage, "--vary must make at most \(Columns.grouped(mostSettings)) settings")
        }
        guard !grid.axes.isEmpty else { return [.init(set: [], settings: stand.settings)] }
        var settings: [Experiment.Setting] = []
        var failure: CommandFailure?
        var messages: Set<String> = []
        for index in 0..<grid.count {
            let combination = grid.overrides(index, option: "--vary")
            do {
                let set = combination.map { JSONValue.Member(key: $0.keyPath, value: JSONValue(setting: $0.value)) }
                settings.append(.init(set: set, settings: try stand.settings(varying: combination)))
            } catch {
                let new = error.problems.filter { !messages.contains($0.message) }
                messages.formUnion(new.map(\.message))
                failure = CommandFailure(failure?.status ?? error.status, (failure?.problems ?? []) + new)
            }
        }
        if let failure { throw failure }
        return settings
    }
}

extension Grid {
    /// The values of one combination.
    ///
    /// - Parameter option: The name of the option, for error messages.
    func overrides(_ index: Int, option: String) -> [StandConfiguration.Override] {
        zip(axes, place(of: index)).map { axis, place in
            let value = axis.values[place]
            return .init(source: "\(option) \(axis.keyPath)=\(value)", keyPath: axis.keyPath, value: value)
        }
    }
}

extension OptionForm where Value == Grid.Axis {
    /// A key path and the values to try.
    static var axis: OptionForm {
        OptionForm { name, text throws(CommandFailure) in
            do throws(TextProblem) { return try Grid.Axis(text) } catch {
                throw CommandFailure(.usage, "\(name) \(error.message)")
            }
        }
    }
}
