#pragma once
#include <stdint.h>

// Initial-exec access is two instructions. The dynamic linker reserves room for it even in libraries that are loaded while
// the program runs, of which 8 bytes are taken here. Only glibc promises that room, so other systems use their default.
#if defined(__GLIBC__)
#define JUICESTAND_TLS __attribute__((tls_model("initial-exec")))
#else
#define JUICESTAND_TLS
#endif

/// A frame that was never used; where every thread starts.
extern const uintptr_t juicestand_no_frame[4];

/// The frame of this thread's outermost post.
extern __thread const uintptr_t *juicestand_frame_word JUICESTAND_TLS;

/// The record of this thread; null before its first post.
extern __thread void *juicestand_record_word JUICESTAND_TLS;

// Integers, because Swift's inlined code works with addresses. A function that suspends may resume on another thread: these
// are functions and not variables so that the compiler asks for the thread's address each time.
static inline uintptr_t juicestand_frame(void) { return (uintptr_t)juicestand_frame_word; }
static inline void juicestand_set_frame(uintptr_t frame) { juicestand_frame_word = (const uintptr_t *)frame; }
static inline uintptr_t juicestand_record(void) { return (uintptr_t)juicestand_record_word; }
static inline void juicestand_set_record(uintptr_t record) { juicestand_record_word = (void *)record; }
static inline void juicestand_forget_thread(void) {
    juicestand_frame_word = juicestand_no_frame;
    juicestand_record_word = 0;
}

/// Keeps the compiler from moving memory accesses across this point. No instruction.
static inline void juicestand_compiler_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/// Prepares the process for juicestand_membarrier and tries it; -1 if the system does not have it or forbids it.
int juicestand_register_membarrier(void);

/// Makes every other thread of the process pass a full memory barrier; 0 on success.
int juicestand_membarrier(void);
