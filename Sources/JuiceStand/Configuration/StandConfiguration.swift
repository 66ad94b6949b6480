import Platform
import TextFormats

/// A configuration that has been read and checked.
package struct StandConfiguration: Sendable {
    package let settings: StandSettings
    /// Probable mistakes that do not prevent a run, such as a trace whose times go back.
    package let warnings: [TextProblem]
    private let root: JSONNode
    private let source: String

    /// A value that replaces one of the file, as with `--set KEY.PATH=VALUE`.
    package struct Override: Sendable {
        /// The option as the user wrote it, for error messages.
        package var source: String
        package var keyPath: String
        package var value: String

        package init(source: String, keyPath: String, value: String) {
            self.source = source
            self.keyPath = keyPath
            self.value = value
        }
    }

    /// Reads a configuration from the bytes of a JSON5 document.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8.
    ///   - source: The file name in error messages. Paths in the document are relative to its folder.
    ///   - overrides: Applied in order; later ones win.
    /// - Throws: ``ConfigurationError`` with all problems in the order of the file.
    package init(_ bytes: [UInt8], source: String, overrides: [Override] = []) throws(ConfigurationError) {
        let (root, problems) = JSON5Parser.parse(bytes, source: source)
        let report = ProblemReport()
        for problem in problems { report.add(problem.place, "", problem.message) }
        guard var root else { throw .invalid(report.problems.listed) }
        for override in overrides { override.apply(to: &root, report) }
        try self.init(root, report, source: source)
    }

    /// Reads the settings strictly: it checks every key, type and range, and reports all problems at once.
    private init(_ root: JSONNode, _ report: ProblemReport, source: String) throws(ConfigurationError) {
        let document = Found(node: root, path: "", report: report)
        guard var settings = StandSettings.form.read(document) else { throw .invalid(report.problems.listed) }
        StandRules.checkNames(document, settings)
        StandRules.checkMap(document, settings.menu)
        // The form of the key reads dates only.
        var opens = CalendarTime(settings.opens)!.nanosecondsSinceEpoch()!
        if case .week(var week) = settings.customers.arrivals {
            week.opening = Self.sinceMonday(opens)
            settings.customers.arrivals = .week(week)
        }
        // A trace cannot be read without a valid menu. The other problems are still reported.
        if report.problems.isEmpty, case .trace(var trace) = settings.customers.arrivals {
            trace.source.file = Self.path(trace.source.file, document, of: source)
            let given = document["opens"] == nil ? nil : opens
            let (loaded, opening) = try TraceLoader.load(trace.source, settings.menu, opens: given)
            settings.customers.arrivals = .trace(loaded)
            opens = opening ?? opens
        }
        settings.opens = CalendarTime(nanosecondsSinceEpoch: opens).description
        StandRules.check(document, settings)
        guard report.problems.isEmpty else { throw .invalid(report.problems.listed) }
        settings.fingerprint = settings.makeFingerprint()
        self.settings = settings
        self.root = root
        self.source = source
        var warnings = StandRules.warnings(settings, source: source)
        if case .trace(let trace) = settings.customers.arrivals { warnings += trace.source.warnings }
        self.warnings = warnings
    }

    /// The same configuration with more values replaced. Of its files, only a trace is read again.
    package func replacing(_ overrides: [Override]) throws(ConfigurationError) -> StandConfiguration {
        let report = ProblemReport()
        var root = root
        for override in overrides { override.apply(to: &root, report) }
        return try StandConfiguration(root, report, source: source)
    }

    /// Reads a configuration from a file.
    package init(file: String, overrides: [Override] = []) throws(ConfigurationError) {
        let bytes: [UInt8]
        do {
            bytes = try readFile(file, limit: 64 << 20)
        } catch {
            throw .unreadable(path: file, reason: error.reason)
        }
        try self.init(bytes, source: file, overrides: overrides)
    }
}

// MARK: - The week of the opening and the path of a trace

extension StandConfiguration {
    /// The time from Monday midnight to an instant.
    private static func sinceMonday(_ nanosecondsSinceEpoch: Int64) -> SimulationTime {
        let time = CalendarTime(nanosecondsSinceEpoch: nanosecondsSinceEpoch)
        let days = Int64(Weekday.number(of: time.days))
        return SimulationTime(nanoseconds: days * CalendarTime.day + time.nanosecondsOfDay)
    }

    /// A path is relative to the folder of the configuration, one from the command line to the current folder.
    private static func path(_ path: String, _ root: Found, of source: String) -> String {
        let file = root["customers"]?["arrivals"]?["trace"]?["file"]
        guard let slash = source.lastIndex(of: "/"), !path.hasPrefix("/"), file?.node.place.line != 0 else {
            return path
        }
        return "\(source[..<slash])/\(path)"
    }
}

// MARK: - Written resolved

extension StandSettings {
    /// The configuration of these settings with every default filled in. Reading it gives the same settings.
    ///
    /// Durations are numbers of seconds.
    package func resolved() -> JSONValue { Self.form.write(self, .everything) }

    /// The configuration with only the file name of a trace, so that it does not depend on the trace's folder, and
    /// without the faces of fruits, which change no result.
    package func resolvedAnywhere() -> JSONValue {
        let settings = replacingTraceFile { source in String(source.file.split(separator: "/").last ?? "") }
        return Self.form.write(settings, .results)
    }

    /// The hash of the resolved configuration without the keys that change no event. It identifies a trace by its
    /// content.
    func makeFingerprint() -> String {
        let settings = replacingTraceFile(\.fingerprint)
        return Fingerprint(Self.form.write(settings, .fingerprint).compact()).text
    }

    private func replacingTraceFile(_ file: (Trace.Source) -> String) -> StandSettings {
        guard case .trace(var trace) = customers.arrivals else { return self }
        trace.source.file = file(trace.source)
        var settings = self
        settings.customers.arrivals = .trace(trace)
        return settings
    }
}

// MARK: - Values from the command line

extension StandConfiguration.Override {
    /// Sets the value at its key path and creates missing objects on the way.
    fileprivate func apply(to root: inout JSONNode, _ report: ProblemReport) {
        let place = Place(source: source)
        let parsed = JSON5Parser.parse(value.utf8, source: source, firstLine: 0)
        var node = JSONNode(value: .string(value), place: place)
        if parsed.problems.isEmpty, let root = parsed.root { node = root }
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.allSatisfy({ !$0.isEmpty }), keys.count <= JSON5Parser.deepestNesting else {
            report.add(place, "", "must be a key path such as customers.patience, found \"\(keyPath)\"")
            return
        }
        root.set(keys[...], to: node, place, report, path: "")
    }
}

extension JSONNode {
    fileprivate mutating func set(
        _ keys: ArraySlice<String>, to node: JSONNode, _ place: Place, _ report: ProblemReport, path: String
    ) {
        guard let key = keys.first else {
            self = node
            return
        }
        if case .array(var elements) = value {
            guard let index = Int(key), elements.indices.contains(index) else {
                let last = elements.isEmpty ? "it is empty" : "its entries are 0 to \(elements.count - 1)"
                report.add(place, path, "has no entry \"\(key)\"; \(last)")
                return
            }
            elements[index].set(keys.dropFirst(), to: node, place, report, path: "\(path)[\(index)]")
            value = .array(elements)
            return
        }
        guard case .object(var members) = value else {
            report.add(place, path, "must be an object or a list to have \"\(key)\" in it")
            return
        }
        let inner = path.isEmpty ? key : "\(path).\(key)"
        if let index = members.firstIndex(where: { $0.key == key }) {
            members[index].node.set(keys.dropFirst(), to: node, place, report, path: inner)
        } else {
            var made = JSONNode(value: .object([]), place: place)
            made.set(keys.dropFirst(), to: node, place, report, path: inner)
            members.append(Member(key: key, keyPlace: place, node: made))
        }
        value = .object(members)
    }
}
