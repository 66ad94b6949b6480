#include "MallocCount.h"
#include <stdbool.h>
#include <stdlib.h>

static bool counts = false;
static long mallocs = 0;

void beginCountingMallocs(void) {
    mallocs = 0;
    counts = true;
}

long endCountingMallocs(void) {
    counts = false;
    return mallocs;
}

#if defined(__GLIBC__)
// Stands in the place of the C library's function of this name for the whole process, as that allows. In C, since Swift
// keeps the name for its own runtime.
extern void *__libc_malloc(size_t size);

void *malloc(size_t size) {
    if (counts) mallocs++;
    return __libc_malloc(size);
}
#endif
