import HTTPServer
import JuiceStand
import Platform

/// The doors of a running stand: a Unix socket, TCP, and the token that TCP asks for.
///
/// They are there from the start, so that what can't be opened is known before the stand is, and whoever knocks waits;
/// ``serve(_:)`` lets them in.
package final class StandServer: Sendable {
    package struct Options: Sendable {
        /// nil is ``standardSocket``, or a name beside it where another stand has that.
        package var socket: String?
        /// nil is ``NetworkAddress/standard``, or a free port where that is taken.
        package var listen: Listen?
        /// The folder that the token outlives the run in; nil where it need not.
        package var stateFolder: String?
        /// What the page shows of `compare`, as JSON; nil where there is nothing.
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
    /// What TCP listens on; nil where it does not.
    package let address: NetworkAddress?
    package let token: SecretToken
    /// Where this user can read the token; nil without TCP.
    package let tokenFile: String?
    private let isTokenKept: Bool
    private let comparison: [UInt8]?
    private let listeners: [ListeningSocket]
    private let server = Guarded<HTTPServer?>(nil)

    /// How long answers under way have when the stand ends.
    private static let patience: Duration = .milliseconds(100)
    /// Descriptors for everything but connections.
    private static let descriptorsKept = 64

    /// Opens the doors.
    ///
    /// - Throws: ``FileError`` where one can't be opened.
    package init(_ options: Options) throws(FileError) {
        let local = try Self.openLocal(options.socket)
        socket = local.path
        var listeners = [local.listener]
        switch options.listen {
        case .off: address = nil
        case .address(let wanted):
            listeners.append(try ListeningSocket.tcp(wanted))
            address = listeners.last?.address
        case nil:
            listeners.append(try ListeningSocket.tcp(.standard, fallsBack: true))
            address = listeners.last?.address
        }
        self.listeners = listeners
        tokenFile = address == nil ? nil : options.stateFolder.map { $0 + "/token" } ?? local.path + ".token"
        token =
            try tokenFile.map { path throws(FileError) in
                try TokenFile.token(at: path, lasts: options.stateFolder != nil)
            } ?? SecretToken()
        isTokenKept = options.stateFolder != nil
        comparison = options.comparison
    }

    /// `$XDG_RUNTIME_DIR/juicestand.sock`, or a path in the temporary folder with the user's id.
    package static var standardSocket: String {
        if let folder = environment("XDG_RUNTIME_DIR") { return folder + "/juicestand.sock" }
        return (environment("TMPDIR") ?? "/tmp") + "/juicestand-\(getuid()).sock"
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.hasPrefix("/") ? text : nil
    }

    private static func openLocal(_ path: String?) throws(FileError) -> (path: String, listener: ListeningSocket) {
        if let path { return (path, try ListeningSocket.local(path: path)) }
        do throws(FileError) {
            return (standardSocket, try ListeningSocket.local(path: standardSocket))
        } catch {
            guard error.reason == SocketFile.isTaken else { throw error }
            let own = standardSocket.dropLast(".sock".count) + "-\(getpid()).sock"
            return (String(own), try ListeningSocket.local(path: String(own)))
        }
    }
}

// MARK: - Serving

extension StandServer {
    /// Answers from now on for a stand.
    ///
    /// - Throws: ``FileError`` where the system has no descriptors left.
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
        let started = try HTTPServer(listeners, options, counters: counters) { routes.answer($0, over: $1) }
        server.withLock { $0 = started }
    }

    /// Finishes what is under way for a moment, and closes.
    package func stop() {
        server.withLock { $0 }?.stop(within: Self.patience)
        server.withLock { $0 = nil }
        for listener in listeners { listener.close() }
        if let tokenFile, !isTokenKept { TokenFile.remove(tokenFile) }
    }

    /// The most that this process may have, made use of whole: the usual limit is meant for programs of another age.
    private static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard unsafe getrlimit(resource, &limit) == 0 else { return 1024 }
        let before = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        guard limit.rlim_cur > before, unsafe setrlimit(resource, &limit) == 0 else { return Int(clamping: before) }
        return Int(limit.rlim_cur)
    }
}
