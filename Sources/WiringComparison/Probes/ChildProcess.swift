import Platform

/// Runs a program, reads its output line by line, and ends it if it is silent for too long.
struct ChildProcess {
    enum Ending: Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        /// It printed no line within the timeout and was ended.
        case timedOut
        /// The caller stopped it.
        case interrupted
        case notStarted(reason: String)
    }

    /// This program.
    static var ownPath: String {
        #if os(Linux)
            "/proc/self/exe"
        #else
            CommandLine.arguments[0]
        #endif
    }

    var path: String
    var arguments: [String]
    /// The longest wall time between two lines.
    var timeout: Duration

    /// Runs the program to its end; standard output and standard error come as one.
    ///
    /// - Parameters:
    ///   - goOn: Asked several times a second.
    ///   - line: Called with each line.
    func run(while goOn: () -> Bool, line: (String) -> Void) -> Ending {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return .notStarted(reason: reasonOfLastError()) }
        // No other process that is started meanwhile may keep the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var child = pid_t()
        let status = start(&child, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard status == 0 else { return .notStarted(reason: unsafe String(cString: strerror(status))) }
        let early = follow(ends[0], while: goOn, line)
        if early != nil { kill(child, SIGKILL) }
        var ending: Int32 = 0
        while unsafe waitpid(child, &ending, 0) == -1, errno == EINTR {}
        return early ?? (ending & 0x7f == 0 ? .exited(ending >> 8 & 0xff) : .killed(signal: ending & 0x7f))
    }

    /// - Returns: 0, or the system's error.
    private func start(_ child: inout pid_t, output: Int32) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
        // A crash is evidence here and needs no backtrace, and memory that is used after it was freed must look wrong.
        var environment: [UnsafeMutablePointer<CChar>?] = unsafe [
            strdup("SWIFT_BACKTRACE=enable=no"), strdup("MALLOC_PERTURB_=165"),
        ]
        var variable = unsafe environ
        while let text = unsafe variable.pointee {
            unsafe environment.append(strdup(text))
            unsafe variable += 1
        }
        unsafe environment.append(nil)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer {
            for index in unsafe environment.indices { unsafe free(environment[index]) }
            for index in unsafe words.indices { unsafe free(words[index]) }
        }
        return unsafe posix_spawnp(&child, path, &actions, nil, &words, &environment)
    }

    /// - Returns: why the program must be ended; nil if its output came to an end.
    private func follow(_ descriptor: Int32, while goOn: () -> Bool, _ line: (String) -> Void) -> Ending? {
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var heard = ContinuousClock.now
        while true {
            guard goOn() else { return .interrupted }
            guard ContinuousClock.now - heard < timeout else { return .timedOut }
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&watched, 1, 50) > 0 else { continue }
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 {
                if !pending.isEmpty { line(String(decoding: pending, as: UTF8.self)) }
                return nil
            }
            guard count > 0 else { continue }
            heard = .now
            pending += buffer[..<count]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                line(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
    }
}
