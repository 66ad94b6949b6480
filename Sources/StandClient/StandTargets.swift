import Platform
import TextFormats

/// A file of stands that can't be used.
package enum StandTargetsError: Error {
    case unreadable(FileError)
    case malformed([TextProblem])

    package var lines: [String] {
        switch self {
        case .unreadable(let error): ["\(error)"]
        case .malformed(let problems): problems.map { "\($0)" }
        }
    }
}

/// The stands to follow: those named, those of a file, and the registered ones.
package struct StandTargets {
    /// A stand, and the name that the file gives it.
    package typealias Target = (target: StandTarget, label: String?)

    private let named: [Target]
    private let file: String?
    private let takesAll: Bool
    /// The content of the file that was read last; nil if it could not be read.
    private var content: [UInt8]?
    private var listed: [Target] = []
    private var registered: [StandTarget] = []
    /// The registered stands that are running.
    private var running: Set<StandTarget> = []

    /// - Parameters:
    ///   - file: In the form of Prometheus' `file_sd_configs`.
    ///   - takesAll: Whether to include all registered stands.
    package init(named: [StandTarget], file: String?, takesAll: Bool) throws(StandTargetsError) {
        self.named = named.map { ($0, nil) }
        self.file = file
        self.takesAll = takesAll
        _ = try refresh()
    }

    /// These stands and no others.
    package init(_ named: [StandTarget]) {
        self.named = named.map { ($0, nil) }
        file = nil
        takesAll = false
    }

    /// Each stand once.
    package var targets: [Target] {
        var known: Set<StandTarget> = []
        // Targets of the file come first, because they may have labels.
        return (listed + named + registered.map { ($0, nil) }).filter { known.insert($0.target).inserted }
    }

    /// Reads the file and the registry again. A registered stand that has ended stays: it may be started again.
    ///
    /// - Returns: Whether the targets have changed, or a registered stand was started again.
    /// - Throws: ``StandTargetsError``, once for each bad version of the file. The targets stay as they are.
    package mutating func refresh() throws(StandTargetsError) -> Bool {
        let found = takesAll ? StandRegistry.entries.map { StandTarget.socket(path: $0.socket) } : []
        let isChanged = !running.isSuperset(of: found)
        let known = Set(registered)
        registered += found.filter { !known.contains($0) }
        running = Set(found)
        guard let file else { return isChanged }
        let former = content
        do throws(FileError) {
            content = try readFile(file, limit: 16 << 20)
        } catch {
            content = nil
            if former == nil, !listed.isEmpty { return isChanged }
            throw .unreadable(error)
        }
        guard content != former else { return isChanged }
        listed = try Self.read(content ?? [], file)
        return true
    }

    private static func read(_ content: [UInt8], _ file: String) throws(StandTargetsError) -> [Target] {
        var (root, problems) = JSON5Parser.parse(content, as: .json, source: file)
        func complain(_ node: JSONNode, _ expected: String) {
            problems.append(TextProblem(place: node.place, message: "expected \(expected)"))
        }
        func strings(_ node: JSONNode) -> [(text: String, node: JSONNode)] {
            guard case .array(let nodes) = node.value else {
                complain(node, "a list of targets")
                return []
            }
            return nodes.compactMap { node in
                if case .string(let text) = node.value { return (text, node) }
                complain(node, "a target such as \"127.0.0.1:8787\"")
                return nil
            }
        }
        func targets(_ group: JSONNode) -> [Target] {
            guard case .object(let members) = group.value,
                let list = members.first(where: { $0.key == "targets" })?.node
            else {
                complain(group, "an object with \"targets\"")
                return []
            }
            var label: String?
            if case .object(let labels)? = members.first(where: { $0.key == "labels" })?.node.value,
                let node = labels.first(where: { $0.key == "stand" })?.node
            {
                if case .string(let text) = node.value { label = text } else { complain(node, "a text as label") }
            }
            return strings(list).compactMap { text, node in
                let target = text.hasPrefix("/") ? StandTarget(text) : StandTarget(authority: text[...])
                if target == nil { complain(node, "HOST:PORT or the path of a socket, found \(text.inQuotes)") }
                return target.map { ($0, label) }
            }
        }
        var found: [Target] = []
        if problems.isEmpty, let root {
            if case .array(let groups) = root.value {
                found = groups.flatMap(targets)
            } else {
                complain(root, "a list of objects with \"targets\"")
            }
        }
        guard problems.isEmpty else { throw .malformed(problems) }
        return found
    }
}
