import Dispatch
import Foundation
import HTTPServer
import JuiceStand
import Platform
import StandClient
import StandService
import TestSupport
import Testing

/// A running stand with its listeners, in a temporary folder. Closes when it is released.
final class OpenStand {
    let folder: String
    let server: StandServer
    let control: StandControl
    let client: StandClient
    private let hasEnded: DispatchSemaphore

    /// - Parameters:
    ///   - configuration: In JSON5.
    ///   - wiring: How facts reach ledger, display and listeners.
    ///   - ledger: Whether one is written, at ``ledger``.
    ///   - forecast: How far it forecasts, twenty times a second; nil for not at all.
    ///   - reread: The configuration that a reload finds; nil is the same.
    ///   - beforeItOpens: Called before the stand starts.
    init(
        _ configuration: String = #"{"customers": {"arrivals": {"poisson": {"perSecond": 0}}}}"#, speed: Double = 1,
        wiring: WiringChoice = .closure, ledger: Bool = false,
        forecast: Double? = nil,
        reread: (@Sendable () throws(ConfigurationError) -> StandSettings)? = nil,
        beforeItOpens: (StandControl) -> Void = { _ in }
    ) throws {
        var template = Array("/tmp/stand-XXXXXX".utf8CString)
        folder = unsafe String(cString: try #require(mkdtemp(&template)))
        var options = try RunningStand.Options(
            configuration, wiring: wiring, speed: speed, ledger: ledger ? folder + "/ledger" : nil)
        let settings = options.settings
        options.forecast = forecast.map { SimulationTime(seconds: $0) }
        options.forecastInterval = .milliseconds(50)
        options.reloading = { () throws(ConfigurationError) in try reread?() ?? settings }
        let running = try RunningStand(options)
        let server = try StandServer(
            socket: folder + "/socket", listen: .address(#require(NetworkAddress("127.0.0.1:0"))))
        self.server = server
        control = running.control
        // A forecast takes long on a busy machine, because it has a low priority.
        client = StandClient(path: folder + "/socket", timeout: 300)
        let hasBegun = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        self.hasEnded = hasEnded
        beforeItOpens(control)
        // A thread of its own, since it waits until the stand ends.
        DispatchQueue(label: "run").async {
            _ = running.run { _ in
                do { try server.serve(running) } catch { Issue.record(error) }
                hasBegun.signal()
            }
            server.stop()
            hasEnded.signal()
        }
        hasBegun.wait(for: "the stand to open")
    }

    deinit {
        control.submit(.stop)
        hasEnded.wait(for: "the stand to end")
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The port of TCP.
    var port: UInt16 { server.address?.port ?? 0 }

    /// The field of a request whose content is JSON.
    static let json = "Content-Type: application/json\r\n"

    /// The whole answer over TCP to a request that closes the connection.
    func overTCP(_ line: String, host: String? = nil, fields: String = "", content: String? = nil) throws -> String {
        try answer(of: RawClient(port: port), line, host ?? "127.0.0.1:\(port)", fields, content)
    }

    /// The whole answer over the Unix socket to a request that closes the connection.
    func overSocket(_ line: String, fields: String = "", content: String? = nil) throws -> String {
        try answer(of: RawClient(path: server.socket), line, "x", fields, content)
    }

    private func answer(
        of client: RawClient, _ line: String, _ host: String, _ fields: String, _ content: String?
    ) -> String {
        let length = content.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        client.send("\(line) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)\(length)\r\n\(content ?? "")")
        return client.receiveAll()
    }
}

extension StandControl {
    /// Moves the ledger away, as `logrotate` does, and reopens it.
    func move(ledger: String, to path: String) throws {
        try Folder.rename(ledger, to: path)
        let failure = awaited { reopenLedger(then: $0) }
        #expect(failure == nil)
    }
}
