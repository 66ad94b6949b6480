import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The program that drives a browser, spoken to in the W3C WebDriver protocol.
struct WebDriver {
    /// What the driver answers instead of a value.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Where it is installed; nil where it is not.
    static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { $0 + "/chromedriver" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    private let process = Process()
    private let port: UInt16

    /// Starts one, on a port of its own choosing.
    init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: try #require(Self.path))
        process.arguments = ["--port=0"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // "ChromeDriver was started successfully on port 40123."
        var said = ""
        while !said.contains("successfully on port ") || !said.hasSuffix(".\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(description: "chromedriver said: \(said)") }
            said += String(decoding: more, as: UTF8.self)
        }
        port = try #require(UInt16(said.components(separatedBy: "successfully on port ")[1].prefix { $0.isNumber }))
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// The value of the answer to one command.
    func send(_ method: String, _ path: String, _ content: [String: Any] = [:]) throws -> Any? {
        let body = method == "POST" ? try JSONSerialization.data(withJSONObject: content) : Data()
        let head =
            "\(method) /\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        let (status, answer) = try exchange(Data(head.utf8) + body)
        let object = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
        guard status == "200" else {
            let error = object?["value"] as? [String: Any]
            throw Failure(description: "\(method) \(path): \(error?["message"] ?? "no answer")")
        }
        return object?["value"]
    }

    /// The status and content of the answer to a request. By hand, because the driver writes its fields without a space after the colon, which
    /// Foundation's client on Linux takes for a broken header.
    private func exchange(_ request: Data) throws -> (status: String, content: Data) {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(description: "chromedriver can't be reached") }
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
            let more = file.availableData
            guard !more.isEmpty else { throw Failure(description: "chromedriver closed the connection") }
            answer += more
        }
    }
}
