#define _GNU_SOURCE
#include "ThreadLocalFrame.h"

const uintptr_t notificationbus_no_frame[4] = {1};
__thread const uintptr_t *notificationbus_frame_word NOTIFICATIONBUS_TLS = notificationbus_no_frame;

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

// The numbers of <linux/membarrier.h>, which not every C library brings along.
enum { PRIVATE_EXPEDITED = 1 << 3, REGISTER_PRIVATE_EXPEDITED = 1 << 4 };

int notificationbus_register_membarrier(void) {
    return syscall(SYS_membarrier, REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 ? notificationbus_membarrier() : -1;
}

int notificationbus_membarrier(void) { return (int)syscall(SYS_membarrier, PRIVATE_EXPEDITED, 0, 0); }
#else
int notificationbus_register_membarrier(void) { return -1; }

int notificationbus_membarrier(void) { return -1; }
#endif
