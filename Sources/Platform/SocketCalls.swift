/// The kind of a socket, as `socket` wants it.
package var streamSocket: Int32 {
    #if canImport(Glibc)
        Int32(SOCK_STREAM.rawValue)
    #else
        Int32(SOCK_STREAM)
    #endif
}

/// Calls `body` with an address of any family as the one type that the system's calls take.
package func withSystemForm<Address>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<Address>.size))
        }
    }
}
