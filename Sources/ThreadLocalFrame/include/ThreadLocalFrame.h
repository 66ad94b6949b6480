#pragma once
// The module exports what these declare: mutexes, keys of threads, pauses.
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>

// Initial-exec access is two instructions. The dynamic linker reserves room for it even in libraries that are loaded while
// the program runs, of which 8 bytes are taken here. Only glibc promises that room, so other systems use their default.
#if defined(__GLIBC__)
#define NOTIFICATIONBUS_TLS __attribute__((tls_model("initial-exec")))
#else
#define NOTIFICATIONBUS_TLS
#endif

/// A frame that was never used; where every thread starts.
extern const uintptr_t notificationbus_no_frame[4];

/// The frame of this thread's outermost post.
extern __thread const uintptr_t *notificationbus_frame_word NOTIFICATIONBUS_TLS;

// Integers, because Swift's inlined code works with addresses. A function that suspends may resume on another thread: these
// are functions and not variables so that the compiler asks for the thread's address each time.
static inline uintptr_t notificationbus_frame(void) { return (uintptr_t)notificationbus_frame_word; }
static inline void notificationbus_set_frame(uintptr_t frame) { notificationbus_frame_word = (const uintptr_t *)frame; }
static inline void notificationbus_forget_frame(void) { notificationbus_frame_word = notificationbus_no_frame; }

/// Whether this thread has a frame of its own.
static inline int notificationbus_has_frame(void) { return notificationbus_frame_word != notificationbus_no_frame; }

/// A number that no other running thread has.
static inline uintptr_t notificationbus_thread(void) { return (uintptr_t)&notificationbus_frame_word; }

/// Keeps the compiler from moving memory accesses across this point. No instruction.
static inline void notificationbus_compiler_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/// Prepares the process for notificationbus_membarrier and tries it; -1 if the system does not have it or forbids it.
int notificationbus_register_membarrier(void);

/// Makes every other thread of the process pass a full memory barrier; 0 on success.
int notificationbus_membarrier(void);
