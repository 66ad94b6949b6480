import HTTPServer
import JuiceStand
import Platform
import TextFormats

/// The listeners of a running stand: a Unix socket, TCP, and the token that TCP requires.
///
/// They open before the stand, so that an address in use is reported at once. Clients wait until ``serve(_:)``.
package final class StandServer: Sendable {
    package struct Options: Sendable {
        /// nil is ``standardSocket``, or a name beside it if another stand listens there.
        package var socket: String?
        /// nil is ``NetworkAddress/standard``, or a free port if that is in use.
        package var listen: Listen?
        /// The folder that keeps the token for the next run; nil to make a new token for every run.
        package var stateFolder: String?
        /// The comparison that the page shows, as JSON; nil for none.
        package var comparison: [UInt8]?

        package init(
            socket: String? = nil, listen: Listen? = nil, stateFolder: String? = nil, comparison: [UInt8]? = nil
        ) {
            self.socket = socket
            self.listen = listen
            self.stateFolder = stateFolder
            self.comparison = comparison
        }
    }

    package enum Listen: Sendable {
        case address(NetworkAddress)
        case off
    }

    /// The path of the Unix socket.
    package let socket: String
    /// That another user has taken the folder of the default socket; nil if not.
    private let warning: String?
    /// The bound TCP address; nil without TCP.
    package let address: NetworkAddress?
    package let token: SecretToken
    /// The file with the token; nil without TCP.
    package let tokenFile: String?
    private let isTokenKept: Bool
    private let comparison: [UInt8]?
    private let listeners: [ListeningSocket]
    private let server = Guarded<HTTPServer?>(nil)

    /// How long responses under way have when the stand ends.
    private static let stopTimeout: Duration = .milliseconds(100)
    /// Descriptors reserved for everything but connections.
    private static let descriptorsKept = 64

    /// Opens the listeners, except those that a service manager has opened.
    ///
    /// - Throws: ``FileError`` if one can't be opened, or is another than the options name.
    package init(_ options: Options) throws(FileError) {
        let inherited = try InheritedSockets.take()
        let local = try Self.openLocal(options.socket, inherited)
        socket = local.path
        warning = local.warning
        let tcp = try Self.openTCP(options.listen, inherited)
        address = tcp?.address
        listeners = [local.listener] + (tcp.map { [$0] } ?? [])
        tokenFile = address == nil ? nil : options.stateFolder.map { $0 + "/token" } ?? local.path + ".token"
        token =
            try tokenFile.map { path throws(FileError) in
                try TokenFile.token(at: path, lasts: options.stateFolder != nil)
            } ?? SecretToken()
        isTokenKept = options.stateFolder != nil
        comparison = options.comparison
    }

    /// See ``StandSocket/standardPath``.
    package static var standardSocket: String { StandSocket.standardPath }

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
    ) throws(FileError) -> (path: String, listener: ListeningSocket, warning: String?) {
        if let local = inherited.local {
            guard path == nil || path == local.path else {
                throw FileError(
                    path: local.path, reason: "the service manager passed this Unix socket; leave out --socket")
            }
            return (local.path, local.listener, nil)
        }
        if let path { return (path, try ListeningSocket.local(path: path), nil) }
        let standard = try StandSocket.prepare()
        let isPlanted = "the folder of \(standardSocket) belongs to another user; commands for this stand need --socket"
        do throws(FileError) {
            return (standard, try ListeningSocket.local(path: standard), standard == standardSocket ? nil : isPlanted)
        } catch {
            guard error.reason == SocketFile.isTaken else { throw error }
            let own = standard.dropLast(".sock".count) + "-\(getpid()).sock"
            let isSecond = "another stand uses \(standardSocket); commands for this stand need --socket \(own)"
            return (String(own), try ListeningSocket.local(path: String(own)), isSecond)
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
        let routes = StandRoutes(running, gate: gate, counters: counters, comparison: comparison) { [self] in
            server.withLock { $0 }?.pump()
        }
        let started = try HTTPServer(listeners, options, counters: counters) { routes.admission(of: $0, over: $1) }
        server.withLock { $0 = started }
        running.logListeners(places, warning: warning)
    }

    /// Where the stand can be reached, for the log.
    private var places: JSONValue {
        [
            "socket": .string(socket), "url": address.map { .string("http://\($0)/") },
            "tokenFile": tokenFile.map { .string($0) },
        ]
    }

    /// Finishes responses under way for a moment, and closes.
    package func stop() {
        server.withLock { $0 }?.stop(within: Self.stopTimeout)
        server.withLock { $0 = nil }
        for listener in listeners { listener.close() }
        if let tokenFile, !isTokenKept { TokenFile.remove(tokenFile) }
    }

    /// Raises the limit of descriptors to the highest that this process may have.
    private static func raiseDescriptorLimit() -> Int {
        guard var limit = descriptorLimit() else { return 1024 }
        let before = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        guard limit.rlim_cur > before, setDescriptorLimit(limit) else { return Int(clamping: before) }
        return Int(limit.rlim_cur)
    }
}
