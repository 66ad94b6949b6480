import MallocCount

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Counts what the Swift runtime is asked to do, through the hooks it has for instruments.
///
/// Those of the whole process are counted, as long as `counting` runs.
enum RuntimeCounts {
    struct Counts {
        var retains = 0
        var releases = 0
        /// Objects made.
        var objects = 0
        /// Blocks of memory asked of the C library, those of objects included; 0 where nobody can tell.
        var blocks = 0
    }

    private typealias Retain = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    private typealias Release = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private typealias Allocate = @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?

    nonisolated(unsafe) private static var retains = 0
    nonisolated(unsafe) private static var releases = 0
    nonisolated(unsafe) private static var objects = 0
    nonisolated(unsafe) private static var retain: Retain?
    nonisolated(unsafe) private static var release: Release?
    nonisolated(unsafe) private static var allocate: Allocate?

    /// What was counted while `work` ran; `nil` where the runtime has no such hooks.
    static func counting(_ work: () -> Void) -> Counts? {
        guard
            let isOn = unsafe dlsym(
                nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly"),
            let retainHook = unsafe dlsym(nil, "_swift_retain")?.assumingMemoryBound(to: Retain.self),
            let releaseHook = unsafe dlsym(nil, "_swift_release")?.assumingMemoryBound(to: Release.self),
            let allocateHook = unsafe dlsym(nil, "_swift_allocObject")?.assumingMemoryBound(to: Allocate.self)
        else { return nil }
        unsafe (retains, releases, objects) = (0, 0, 0)
        unsafe (retain, release, allocate) = unsafe (retainHook.pointee, releaseHook.pointee, allocateHook.pointee)
        unsafe retainHook.pointee = { object in
            unsafe RuntimeCounts.retains += 1
            return unsafe RuntimeCounts.retain?(object)
        }
        unsafe releaseHook.pointee = { object in
            unsafe RuntimeCounts.releases += 1
            unsafe RuntimeCounts.release?(object)
        }
        unsafe allocateHook.pointee = { type, size, alignment in
            unsafe RuntimeCounts.objects += 1
            return unsafe RuntimeCounts.allocate?(type, size, alignment)
        }
        let flag = unsafe isOn.assumingMemoryBound(to: Bool.self)
        beginCountingMallocs()
        unsafe flag.pointee = true
        work()
        unsafe flag.pointee = false
        let blocks = endCountingMallocs()
        if let retain = unsafe retain { unsafe retainHook.pointee = retain }
        if let release = unsafe release { unsafe releaseHook.pointee = release }
        if let allocate = unsafe allocate { unsafe allocateHook.pointee = allocate }
        return unsafe Counts(retains: retains, releases: releases, objects: objects, blocks: blocks)
    }
}
