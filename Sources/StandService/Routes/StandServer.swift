import HTTPServer
import Platform
import StandClient
import TextFormats

/// The listeners of a running stand: a Unix socket, TCP, and the token that TCP requires.
///
/// They open before the stand, so that an address in use is reported at once. Clients wait until ``serve(_:)``.
package final class StandServer: Sendable {
    package enum Listen: Sendable {
        case address(NetworkAddress)
        case off
    }

    /// The path of the Unix socket.
    package let socket: String
    /// Why the stand does not listen where users look for it; empty if it does.
    package let warnings: [ListenerWarning]
    /// The bound TCP address; nil without TCP.
    package let address: NetworkAddress?
    package let token: SecretToken
    /// The file with the token; nil without TCP.
    package let tokenFile: String?
    private let isTokenKept: Bool
    private let listeners: [ListeningSocket]
    private let server = Guarded<HTTPServer?>(nil)
    private let registration = Guarded<StandRegistry.Registration?>(nil)

    /// The timeout for responses under way when the stand ends.
    static let stopTimeout: Duration = .milliseconds(100)
    /// Descriptors reserved for everything but connections.
    static let descriptorsKept = 64

    /// Opens the listeners, except those that a service manager has opened.
    ///
    /// - Parameters:
    ///   - path: nil is ``StandSocket/standardPath``, or a name beside it if another stand listens there.
    ///   - listen: nil is ``NetworkAddress/standard``, or a free port if that is in use.
    ///   - stateFolder: Keeps the token for the next run; nil to make a new token for every run.
    /// - Throws: ``FileError`` if a listener can't be opened, or an inherited one is not the one named.
    package init(socket path: String? = nil, listen: Listen? = nil, stateFolder: String? = nil) throws(FileError) {
        let inherited = try InheritedSockets.take()
        let local = try Self.openLocal(path, inherited)
        socket = local.path
        let tcp = try Self.openTCP(listen, inherited)
        address = tcp?.address
        var warnings: [ListenerWarning] = []
        if let address, listen == nil, inherited.tcp == nil, address != .standard {
            warnings.append(.portTaken(NetworkAddress.standard.port, instead: address.port))
        }
        if let warning = local.warning { warnings.append(warning) }
        self.warnings = warnings
        listeners = [local.listener] + (tcp.map { [$0] } ?? [])
        tokenFile = address == nil ? nil : stateFolder.map { $0 + "/token" } ?? local.path + ".token"
        token =
            try tokenFile.map { path throws(FileError) in
                try TokenFile.token(at: path, lasts: stateFolder != nil)
            } ?? SecretToken()
        isTokenKept = stateFolder != nil
    }

    private static func openTCP(_ listen: Listen?, _ inherited: InheritedSockets) throws(FileError) -> ListeningSocket?
    {
        guard let tcp = inherited.tcp, let address = tcp.address else {
            return switch listen {
            case .off: nil
            case .address(let wanted): try ListeningSocket.tcp(wanted)
            case nil: try ListeningSocket.tcp(.standard, fallsBack: true)
            }
        }
        switch listen {
        case nil: return tcp
        case .address(let wanted) where wanted == address: return tcp
        case .off, .address:
            throw FileError(
                path: "\(address)", reason: "the service manager passed this TCP socket; leave out --listen")
        }
    }

    private static func openLocal(
        _ path: String?, _ inherited: InheritedSockets
    ) throws(FileError) -> (path: String, listener: ListeningSocket, warning: ListenerWarning?) {
        if let local = inherited.local {
            guard path == nil || path == local.path else {
                throw FileError(
                    path: local.path, reason: "the service manager passed this Unix socket; leave out --socket")
            }
            return (local.path, local.listener, nil)
        }
        if let path { return (path, try ListeningSocket.local(path: path), nil) }
        let standard = try StandSocket.prepare()
        do throws(FileError) {
            let isOwn = standard == StandSocket.standardPath
            return (standard, try ListeningSocket.local(path: standard), isOwn ? nil : .folderTaken(socket: standard))
        } catch {
            guard error.reason == SocketFile.isTaken else { throw error }
            let own = StandSocket.ownPath(beside: standard)
            return (own, try ListeningSocket.local(path: own), .socketTaken(socket: own))
        }
    }
}

extension ListenerWarning {
    /// The warning in the log; nil if the line that says where the stand listens is enough.
    fileprivate var logged: String? {
        switch self {
        case .portTaken: nil
        case .socketTaken(let socket):
            "another stand uses \(StandSocket.standardPath); commands for this stand need --socket \(socket)"
        case .folderTaken(let socket):
            "the folder of \(StandSocket.standardPath) belongs to another user; commands for this stand need --socket "
                + "\(socket)"
        }
    }
}

// MARK: - Serving

extension StandServer {
    /// Starts to serve a stand.
    ///
    /// - Throws: ``FileError`` if the system has no descriptors or threads left.
    package func serve(_ running: RunningStand) throws(FileError) {
        var options = HTTPServerOptions()
        options.givesWay = { [driver = running.control.driver] in driver.isLate }
        options.mostConnections = min(options.mostConnections, Self.raiseDescriptorLimit() - Self.descriptorsKept)
        options.keptForLocal = min(options.keptForLocal, options.mostConnections / 2)
        options.commonFields = .guarding
        let gate = address.map { HTTPGate(address: $0, token: token) }
        let counters = HTTPCounters()
        let routes = StandRoutes(running, gate: gate, page: page, counters: counters) { [self] in
            server.withLock { $0 }?.pump()
        }
        let started = try HTTPServer(listeners, options, counters: counters) { routes.admission(of: $0, over: $1) }
        server.withLock { $0 = started }
        var warning = warnings.lazy.compactMap(\.logged).first
        do throws(FileError) {
            let stand = running.control.status.settings.stand
            let entered = try StandRegistry.Registration(
                StandRegistry.Entry().with(\.stand, stand).with(\.socket, socket).with(\.url, page))
            registration.withLock { $0 = entered }
        } catch {
            warning = warning ?? "commands for all stands don't find this one: \(error)"
        }
        running.logListeners(places, warning: warning)
    }

    /// The address of the page; nil without TCP.
    package var page: String? { address.map { "http://\($0)/" } }

    /// Where the stand can be reached, for the log.
    private var places: JSONValue {
        ["socket": .string(socket), "url": page.map { .string($0) }, "tokenFile": tokenFile.map { .string($0) }]
    }

    /// Finishes responses under way, within ``stopTimeout``, and closes.
    package func stop() {
        registration.withLock { $0 = nil }
        server.withLock { $0 }?.stop(within: Self.stopTimeout)
        server.withLock { $0 = nil }
        for listener in listeners { listener.close() }
        if let tokenFile, !isTokenKept { TokenFile.remove(tokenFile) }
    }

    /// Raises the limit of descriptors to the highest that this process may have.
    static func raiseDescriptorLimit() -> Int {
        guard var limit = descriptorLimit() else { return 1024 }
        let before = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        guard limit.rlim_cur > before, setDescriptorLimit(limit) else { return Int(clamping: before) }
        return Int(limit.rlim_cur)
    }
}
