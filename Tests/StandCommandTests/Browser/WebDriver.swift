import Foundation
import Platform
import TestSupport
import Testing

/// An error answer of the driver.
struct WebDriverError: Error, CustomStringConvertible {
    var description: String
}

/// The browser's driver, which speaks the W3C WebDriver protocol. Calls block.
struct WebDriver: Sendable {
    /// The path of the driver; nil if it or the browser is not installed.
    static let path =
        ["chromium", "google-chrome", "chrome"].contains { path(of: $0) != nil } ? path(of: "chromedriver") : nil

    private static func path(of program: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    var identifier: Int { Int(process.processIdentifier) }

    private let process = Process()
    private let port: UInt16

    /// Starts a driver on a free port. Its own choice may be a port in use, and then it hangs.
    init() throws {
        port = try Self.freePort()
        let output = Pipe()
        process.executableURL = URL(filePath: try #require(Self.path))
        process.arguments = ["--port=\(port)"]
        // The browser has sockets in its temporary folder, and ends at once if their paths are too long.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": "/tmp"]) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        // Threads of tests block signals, and a child inherits the mask, with which a browser does not work.
        var none = sigset_t()
        var former = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
        try process.run()
        var said = ""
        while !said.contains("started successfully") {
            try waitForInput(output.fileHandleForReading.fileDescriptor, "chromedriver to start")
            let more = output.fileHandleForReading.availableData
            said += String(decoding: more, as: UTF8.self)
            guard !more.isEmpty, !said.contains("not available") else {
                kill(process.processIdentifier, SIGKILL)
                throw WebDriverError(description: "chromedriver said: \(said)")
            }
        }
    }

    func stop() {
        process.terminate()
        process.waitForExit()
    }

    /// The answer to one command, a JSON document with the key `value`.
    func send(_ method: String, _ path: String, _ content: Data = Data()) throws -> Data {
        let head =
            "\(method) /\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(content.count)\r\n\r\n"
        let (status, answer) = try exchange(Data(head.utf8) + content)
        guard status == "200" else {
            let said = String(decoding: answer, as: UTF8.self).prefix(600)
            throw WebDriverError(description: "\(method) \(path): \(said)")
        }
        return answer
    }

    private static func connection() -> Int32 { socket(AF_INET, streamSocket, 0) }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func freePort() throws -> UInt16 {
        let descriptor = connection()
        defer { close(descriptor) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard found else { throw WebDriverError(description: "no port is free") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Sends a request and gives status and content of the answer. Foundation's client on Linux rejects the driver's
    /// fields, which have no space after the colon.
    private func exchange(_ request: Data) throws -> (status: String, content: Data) {
        let descriptor = Self.connection()
        defer { close(descriptor) }
        var address = Self.loopback(port)
        let connected = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw WebDriverError(description: "chromedriver can't be reached") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        try file.write(contentsOf: request)
        // The driver may leave the connection open.
        var answer = Data()
        while true {
            if let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) {
                let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased()
                let field = head.components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
                let length = field.flatMap {
                    Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces))
                }
                let content = answer[end.upperBound...]
                if content.count >= length ?? .max {
                    return (String(head.dropFirst("http/1.1 ".count).prefix(3)), content)
                }
            }
            try waitForInput(descriptor, "an answer of chromedriver")
            let more = file.availableData
            guard !more.isEmpty else { throw WebDriverError(description: "chromedriver closed the connection") }
            answer += more
        }
    }
}
