/// What the program and the libraries it has loaded asked for while counting was on.
typedef struct {
    /// Blocks asked of the C library's allocator.
    long blocks;
    /// Bytes of them that were not given back; negative if older blocks were.
    long bytesKept;
} AllocationCount;

/// Counts on all threads from now on, by pointing every loaded object's entries for the allocator's functions to counting
/// ones. Before and after, counting costs nothing.
///
/// Returns how many entries were changed; 0 if this system's programs have none, and then nothing is counted.
int beginCountingAllocations(void);

/// Puts the entries back and returns what was counted.
AllocationCount endCountingAllocations(void);
