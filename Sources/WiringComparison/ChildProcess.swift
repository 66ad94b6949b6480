import NotificationBus
import Platform

/// A program run aside, whose output is read line by line and which is ended when it is silent for too long.
struct ChildProcess {
    enum Ending: Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        /// It said nothing for too long and was ended.
        case hung
        /// The caller wanted no more of it, and it was ended.
        case interrupted
        case notStarted(reason: String)
    }

    /// This very program.
    static var ownPath: String {
        #if os(Linux)
            "/proc/self/exe"
        #else
            CommandLine.arguments[0]
        #endif
    }

    var path: String
    var arguments: [String]
    /// How long it may wait without a line, and how much processor time it may use without one.
    ///
    /// Wall time alone would blame a program for a busy machine.
    var patience: Duration

    /// Runs it to its end; standard output and standard error come as one.
    ///
    /// - Parameters:
    ///   - goOn: Asked a few times a second.
    ///   - line: Called with each line as it comes.
    func run(while goOn: () -> Bool, line: (String) -> Void) -> Ending {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return .notStarted(reason: "no pipe: error \(errno)") }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        defer { close(ends[0]) }
        let child: pid_t
        switch start(output: ends[1]) {
        case .success(let started): child = started
        case .failure(let failure):
            close(ends[1])
            return .notStarted(reason: unsafe String(cString: strerror(failure.number)))
        }
        close(ends[1])
        let isOverdue = read(ends[0], of: child, while: goOn, line)
        if isOverdue != nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while true {
            guard unsafe waitpid(child, &status, 0) == -1, errno == EINTR else { break }
        }
        if let isOverdue { return isOverdue }
        return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: status & 0x7f)
    }

    private struct SystemError: Error {
        var number: Int32
    }

    private func start(output: Int32) -> Result<pid_t, SystemError> {
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
        if output > 2 { unsafe posix_spawn_file_actions_addclose(&actions, output) }
        // A crash is evidence here: a search for its cause would only take time, and memory that is used after it was
        // freed should look like it.
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
        var child = pid_t()
        let status = unsafe posix_spawnp(&child, path, &actions, nil, &words, &environment)
        return status == 0 ? .success(child) : .failure(SystemError(number: status))
    }

    /// - Returns: why it has to be ended; nil where its output came to an end.
    private func read(
        _ descriptor: Int32, of child: pid_t, while goOn: () -> Bool, _ line: (String) -> Void
    ) -> Ending? {
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var silence = Silence(child)
        while true {
            guard goOn() else { return .interrupted }
            if silence.lasts(patience) { return .hung }
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&watched, 1, 50) > 0 else { continue }
            let count = unsafe buffer.withUnsafeMutableBytes {
                #if canImport(Glibc)
                    unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
                #elseif canImport(Musl)
                    unsafe Musl.read(descriptor, $0.baseAddress, $0.count)
                #else
                    unsafe Darwin.read(descriptor, $0.baseAddress, $0.count)
                #endif
            }
            if count == 0 {
                if !pending.isEmpty { line(String(decoding: pending, as: UTF8.self)) }
                return nil
            }
            guard count > 0 else { continue }
            silence = Silence(child)
            pending += buffer[..<count]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                line(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
    }
}

/// How long a process has said nothing, and what it did meanwhile.
private struct Silence {
    private let child: pid_t
    private var looked = ContinuousClock.now
    private var used: Duration
    private var usedAltogether = Duration.zero

    init(_ child: pid_t) {
        self.child = child
        used = Self.processorTime(of: child) ?? .zero
    }

    /// Whether it has done next to nothing, or has done work without end, for so long.
    mutating func lasts(_ patience: Duration) -> Bool {
        guard ContinuousClock.now - looked >= patience else { return false }
        guard let now = Self.processorTime(of: child) else { return true }
        let more = now - used
        usedAltogether += more
        (looked, used) = (.now, now)
        return more < patience / 200 || usedAltogether > patience
    }

    /// nil where the system does not tell.
    private static func processorTime(of child: pid_t) -> Duration? {
        #if os(Linux)
            var clock = clockid_t()
            var time = timespec()
            guard unsafe clock_getcpuclockid(child, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
                return nil
            }
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        #else
            return nil
        #endif
    }
}
