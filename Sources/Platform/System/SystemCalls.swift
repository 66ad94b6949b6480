// Small calls of the system under names that are the same everywhere.

/// The text of `errno`, such as "No such file or directory".
package func reasonOfLastError() -> String { unsafe String(cString: strerror(errno)) }

/// The time of the monotonic clock, in nanoseconds.
package func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// A variable of the environment; nil if it is not set.
package func environmentVariable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

/// Whether a descriptor is a terminal.
package func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// Opens the terminal of a descriptor a second time, for writes that don't block.
///
/// - Returns: nil if the descriptor is no terminal, or one that this user may not open.
package func openTerminalAgain(_ descriptor: Int32) -> Int32? {
    var name = [CChar](repeating: 0, count: 256)
    guard isTerminal(descriptor), unsafe ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
    let opened = retrying { unsafe open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
    return opened >= 0 ? opened : nil
}

/// Whether a descriptor is a regular file.
package func isRegularFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// The ends of a new pipe, which no program that is started inherits.
func makePipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let status = unsafe pipe(&ends)
    precondition(status == 0, "no pipe: error \(errno)")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
}

/// Repeats a call that a signal interrupted.
func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

// MARK: - Descriptors

#if canImport(Glibc)
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
    private let openFiles = RLIMIT_NOFILE
#endif

/// How many descriptors this process may have; nil if the system does not tell.
package func descriptorLimit() -> rlimit? {
    var limit = rlimit()
    return unsafe getrlimit(openFiles, &limit) == 0 ? limit : nil
}

/// - Returns: Whether the system grants it.
package func setDescriptorLimit(_ limit: rlimit) -> Bool {
    var limit = limit
    return unsafe setrlimit(openFiles, &limit) == 0
}

// MARK: - Sockets

// The types of sockets, as the argument of `socket`.
#if canImport(Glibc)
    package let streamSocket = Int32(SOCK_STREAM.rawValue)
    let datagramSocket = Int32(SOCK_DGRAM.rawValue)
#else
    package let streamSocket = Int32(SOCK_STREAM)
    let datagramSocket = Int32(SOCK_DGRAM)
#endif

/// Calls `body` with a pointer to an address of any family as a `sockaddr`, which the system's calls take.
package func withSystemForm<Address>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<Address>.size))
        }
    }
}
