import Platform
import TextFormats

/// A configuration that has been read and checked.
package struct StandConfiguration: Sendable {
    package let settings: StandSettings
    /// Probable mistakes that do not prevent a run, such as a trace whose times go back.
    package let warnings: [TextProblem]

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
        let folder = source.lastIndex(of: "/").map { String(source[..<$0]) } ?? ""
        let reader = SettingsReader(report: report, traces: TraceLoader(folder: folder))
        let settings = try reader.read(root)
        guard report.problems.isEmpty, var settings else { throw .invalid(report.problems.listed) }
        settings.fingerprint = settings.makeFingerprint()
        self.settings = settings
        var warnings = SettingsReader.warnings(settings, source: source)
        if case .trace(let trace) = settings.customers.arrivals { warnings += trace.source.warnings }
        self.warnings = warnings
    }

    /// Reads a configuration from a file.
    package init(file: String, overrides: [Override] = []) throws(ConfigurationError) {
        let bytes: [UInt8]
        do { bytes = try readFile(file, limit: 64 << 20) } catch { throw .unreadable(path: file, reason: error.reason) }
        try self.init(bytes, source: file, overrides: overrides)
    }
}

extension StandConfiguration.Override {
    /// Sets the value at its key path and creates missing objects on the way.
    fileprivate func apply(to root: inout JSONNode, _ report: ProblemReport) {
        let place = Place(source: source)
        let parsed = JSON5Parser.parse(value.utf8, source: source, firstLine: 0)
        var node = JSONNode(value: .string(value), place: place)
        if parsed.problems.isEmpty, let root = parsed.root { node = root.placed(at: place) }
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.allSatisfy({ !$0.isEmpty }), keys.count <= JSON5Parser.deepestNesting else {
            report.add(place, "", "must be a key path such as customers.patience, found \"\(keyPath)\"")
            return
        }
        root.set(keys[...], to: node, place, report, path: "")
    }
}

extension JSONNode {
    /// The same value with `place` as the place of all its parts.
    fileprivate func placed(at place: Place) -> JSONNode {
        switch value {
        case .array(let elements):
            JSONNode(value: .array(elements.map { $0.placed(at: place) }), place: place)
        case .object(let members):
            JSONNode(
                value: .object(
                    members.map { Member(key: $0.key, keyPlace: place, node: $0.node.placed(at: place)) }), place: place
            )
        default:
            JSONNode(value: value, place: place)
        }
    }

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
