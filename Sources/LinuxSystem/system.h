// What Swift's module for the C library leaves out: three headers, and a system call without a wrapper.
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
#endif
