// What Swift's module for the C library leaves out: some headers, and a system call without a wrapper.
#if __linux__
#include <malloc.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

/// Gives the calling thread the policy for batches (SCHED_BATCH) and a nice value, or at least the nice value.
///
/// The slice, in nanoseconds, is how long it keeps a processor that another thread wants. Linux before 6.12 ignores it.
static inline int juicestand_lower_priority(int nice, uint64_t slice) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {sizeof attributes, 3, 0, nice, 0, slice, 0, 0};
    // sched_setattr(2) has no wrapper. A service manager may forbid it, because it could ask for real time, too.
    return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0 ? 0 : setpriority(PRIO_PROCESS, 0, nice);
}

/// Reads or sets, in 1,024 bits, on which processors the calling thread may run.
static inline long juicestand_get_processors(uint64_t mask[16]) {
    return syscall(SYS_sched_getaffinity, 0, 128, mask);
}

static inline long juicestand_set_processors(const uint64_t mask[16]) {
    return syscall(SYS_sched_setaffinity, 0, 128, mask);
}
#endif
