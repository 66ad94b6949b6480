// A program calls functions of other libraries through a table of addresses that the dynamic linker fills in. Counting
// writes other addresses into it and puts them back. A call that does not go through the table is not counted.

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "AllocationCount.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__linux__) && defined(__GLIBC__) && __SIZEOF_POINTER__ == 8
#define CAN_COUNT 1
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#if CAN_COUNT

#if defined(__x86_64__)
enum { jumpSlot = R_X86_64_JUMP_SLOT, globalData = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { jumpSlot = R_AARCH64_JUMP_SLOT, globalData = R_AARCH64_GLOB_DAT };
#else
enum { jumpSlot = -1, globalData = -1 };
#endif

static atomic_long blocks;
static atomic_long bytesKept;

// The functions as they were found. Volatile: the compiler knows what stands in them and would call by the turned entries.
static void *(*volatile realMalloc)(size_t);
static void *(*volatile realCalloc)(size_t, size_t);
static void *(*volatile realRealloc)(void *, size_t);
static int (*volatile realPosixMemalign)(void **, size_t, size_t);
static void *(*volatile realAlignedAlloc)(size_t, size_t);
static void (*volatile realFree)(void *);

static void *taken(void *block) {
    if (block) {
        atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&bytesKept, (long)malloc_usable_size(block), memory_order_relaxed);
    }
    return block;
}

static void givenBack(void *block) {
    if (block) atomic_fetch_sub_explicit(&bytesKept, (long)malloc_usable_size(block), memory_order_relaxed);
}

static void *countingMalloc(size_t size) { return taken(realMalloc(size)); }

static void *countingCalloc(size_t count, size_t size) { return taken(realCalloc(count, size)); }

static void *countingRealloc(void *block, size_t size) {
    givenBack(block);
    return taken(realRealloc(block, size));
}

static int countingPosixMemalign(void **block, size_t alignment, size_t size) {
    int status = realPosixMemalign(block, alignment, size);
    if (status == 0) taken(*block);
    return status;
}

static void *countingAlignedAlloc(size_t alignment, size_t size) { return taken(realAlignedAlloc(alignment, size)); }

static void countingFree(void *block) {
    givenBack(block);
    realFree(block);
}

static const struct {
    const char *name;
    void *counting;
} functions[] = {
    {"malloc", countingMalloc},
    {"calloc", countingCalloc},
    {"realloc", countingRealloc},
    {"posix_memalign", countingPosixMemalign},
    {"aligned_alloc", countingAlignedAlloc},
    {"free", countingFree},
};

// Entries that were turned, with what stood in them.
enum { mostEntries = 512 };
static struct {
    void **place;
    void *before;
} turned[mostEntries];
static int turnedCount;

/// Writes one entry; after loading, the page it stands on may be read-only, and is left writable.
static bool put(void **place, void *value) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)((uintptr_t)place & ~(page - 1));
    if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return false;
    __atomic_store_n(place, value, __ATOMIC_RELEASE);
    return true;
}

static void turnEntries(
    uintptr_t base, const ElfW(Rela) * entries, size_t count, const ElfW(Sym) * symbols, const char *names
) {
    for (size_t index = 0; index < count; index++) {
        long type = (long)ELF64_R_TYPE(entries[index].r_info);
        if (type != jumpSlot && type != globalData) continue;
        const char *name = names + symbols[ELF64_R_SYM(entries[index].r_info)].st_name;
        for (size_t function = 0; function < sizeof functions / sizeof *functions; function++) {
            if (strcmp(name, functions[function].name) != 0 || turnedCount == mostEntries) continue;
            void **place = (void **)(base + entries[index].r_offset);
            void *before = __atomic_load_n(place, __ATOMIC_ACQUIRE);
            if (put(place, functions[function].counting)) {
                turned[turnedCount].place = place;
                turned[turnedCount].before = before;
                turnedCount++;
            }
        }
    }
}

static int turnObject(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const ElfW(Rela) *jumps = NULL, *others = NULL;
    size_t jumpBytes = 0, otherBytes = 0;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        if (object->dlpi_phdr[index].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[index].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            switch (entry->d_tag) {
            case DT_SYMTAB: symbols = (const void *)entry->d_un.d_ptr; break;
            case DT_STRTAB: names = (const void *)entry->d_un.d_ptr; break;
            case DT_JMPREL: jumps = (const void *)entry->d_un.d_ptr; break;
            case DT_PLTRELSZ: jumpBytes = entry->d_un.d_val; break;
            case DT_RELA: others = (const void *)entry->d_un.d_ptr; break;
            case DT_RELASZ: otherBytes = entry->d_un.d_val; break;
            }
        }
    }
    // The kernel's own object has a table that was never relocated; its addresses lie below where it was loaded.
    if (!symbols || !names || (uintptr_t)symbols < object->dlpi_addr) return 0;
    if (jumps) turnEntries(object->dlpi_addr, jumps, jumpBytes / sizeof *jumps, symbols, names);
    if (others) turnEntries(object->dlpi_addr, others, otherBytes / sizeof *others, symbols, names);
    return 0;
}

int beginCountingAllocations(void) {
    if (turnedCount > 0) return 0;
    realMalloc = malloc;
    realCalloc = calloc;
    realRealloc = realloc;
    realPosixMemalign = posix_memalign;
    realAlignedAlloc = aligned_alloc;
    realFree = free;
    atomic_store(&blocks, 0);
    atomic_store(&bytesKept, 0);
    turnedCount = 0;
    dl_iterate_phdr(turnObject, NULL);
    return turnedCount;
}

AllocationCount endCountingAllocations(void) {
    for (int index = 0; index < turnedCount; index++) put(turned[index].place, turned[index].before);
    turnedCount = 0;
    return (AllocationCount){atomic_load(&blocks), atomic_load(&bytesKept)};
}

#else

int beginCountingAllocations(void) { return 0; }

AllocationCount endCountingAllocations(void) { return (AllocationCount){0, 0}; }

#endif
