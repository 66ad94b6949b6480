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
        let settings = try StandConfiguration(Array(configuration.utf8), source: "test").settings
        var options = RunningStand.Options(
            settings: settings, wiring: wiring, speed: speed, horizon: .never, duration: nil,
            ledger: ledger ? folder + "/ledger" : nil, display: .none, logsAsJSON: false)
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

    /// The whole answer over TCP to a request that closes the connection.
    func overTCP(_ line: String, host: String? = nil, fields: String = "") throws -> String {
        let client = try RawClient(port: port)
        client.send("\(line) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nConnection: close\r\n\(fields)\r\n")
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
