// What Swift's module for the C library leaves out: three headers, a system call without a wrapper, a compiler fence.
#if __linux__
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

/// membarrier(2), without flags; -1 where the system does not have it or forbids it.
static inline int juicestand_membarrier(int command) {
    return (int)syscall(SYS_membarrier, command, 0, 0);
}

/// Keeps the compiler from moving memory accesses across this point. No instruction.
static inline void juicestand_compiler_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
#endif
