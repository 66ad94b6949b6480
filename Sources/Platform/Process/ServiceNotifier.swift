/// Reports the state of the program to the service manager, with the protocol of systemd's `sd_notify`.
///
/// Does nothing if no manager listens. Source: `man 3 sd_notify`.
package struct ServiceNotifier: Sendable {
    private let address: String?
    /// Half the watchdog timeout, in nanoseconds; nil without a watchdog.
    package let watchdogInterval: UInt64?

    package init() {
        address = environmentVariable("NOTIFY_SOCKET").flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        // The watchdog may be meant for another process.
        let isMeant = environmentVariable("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
        let microseconds: UInt64? = environmentVariable("WATCHDOG_USEC").flatMap { UInt64($0) }
        let known: ClosedRange<UInt64> = 2...UInt64.max / 1000
        guard isMeant, address != nil, let microseconds, known.contains(microseconds) else {
            watchdogInterval = nil
            return
        }
        watchdogInterval = microseconds / 2 * 1000
    }

    package func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
    package func stopping() { send("STOPPING=1") }
    package func alive(_ status: String) { send("WATCHDOG=1\nSTATUS=\(status)") }

    /// `Type=notify-reload` requires the monotonic time in microseconds.
    package func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(monotonicNanoseconds() / 1000)")
    }

    /// Sends a datagram without waiting for the manager.
    private func send(_ message: String) {
        guard let address else { return }
        let socket = socket(AF_UNIX, datagramSocket, 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // A name that starts with @ is abstract: its first byte is 0.
        var path = Array(address.utf8)
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        let room = MemoryLayout.size(ofValue: name.sun_path)
        guard path.count < room else { return }
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + path.count)
        let bytes = Array(message.utf8)
        _ = unsafe withSystemForm(&name) { address, _ in
            unsafe Int32(sendto(socket, bytes, bytes.count, Int32(MSG_DONTWAIT), address, length))
        }
    }
}
