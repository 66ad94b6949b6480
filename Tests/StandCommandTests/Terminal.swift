import Foundation
import TestSupport
import Testing

/// A pseudo-terminal as a program's standard output.
final class Terminal {
    /// The user's side.
    private let ours: FileHandle
    /// The program's side.
    let program: FileHandle

    init() throws {
        let (descriptor, name) = try Self.open()
        ours = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let other = unsafe Foundation.open(name, O_RDWR | O_NOCTTY)
        guard other >= 0 else { throw POSIXError(.ENODEV) }
        program = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    }

    /// Opens a pseudo-terminal.
    ///
    /// - Returns: the descriptor of the user's side and the device name of the program's side.
    static func open() throws -> (Int32, String) {
        #if os(Linux)
            // TIOCSPTLCK and TIOCGPTN, as `posix_openpt` would use them; Swift does not import these functions from Glibc.
            let (unlock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
            let descriptor = unsafe Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var (isLocked, number) = (Int32(0), UInt32(0))
            guard descriptor >= 0, unsafe ioctl(descriptor, unlock, &isLocked) == 0,
                unsafe ioctl(descriptor, getNumber, &number) == 0
            else { throw POSIXError(.ENODEV) }
            return (descriptor, "/dev/pts/\(number)")
        #else
            let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
            guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0,
                let name = unsafe ptsname(descriptor)
            else { throw POSIXError(.ENODEV) }
            return (descriptor, unsafe String(cString: name))
        #endif
    }

    /// Reads until the output contains `text` or the program's side is closed.
    func read(until text: String) throws -> String {
        var shown: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: shown, as: UTF8.self).contains(text) {
            try waitForInput(ours.fileDescriptor, "\"\(text)\" on the terminal")
            let count = unsafe Foundation.read(ours.fileDescriptor, &bytes, bytes.count)
            guard count > 0 || errno == EINTR else { break }
            shown += bytes.prefix(max(0, count))
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
