// The one place that knows what each platform calls its C library: every other file imports `Platform`.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
#if os(Linux)
    @_exported public import LinuxSystem
#endif
