/// What was asked of the C library's allocator while counting was on, by the program and the libraries it has loaded.
typedef struct {
    /// Blocks asked for.
    long blocks;
    /// Bytes of them that were not given back; negative where older blocks were.
    long bytesKept;
} AllocationCount;

/// Counts allocations on all threads from now on, by pointing every loaded object's entries for the allocator's
/// functions to counting ones. Nobody pays for it before and after.
///
/// Returns how many entries were turned; 0 where this system's programs have none, and nothing is counted.
int beginCountingAllocations(void);

/// Puts the entries back and tells what was counted.
AllocationCount endCountingAllocations(void);

/// Keeps the calling thread on one processor, the one it is on; returns its number, or -1 where the system has no such thing.
int stayOnThisProcessor(void);

/// Lets the calling thread run anywhere it could before `stayOnThisProcessor`.
void goWhereverThereIsRoom(void);

/// The same for every thread of the process, and for those that they start meanwhile.
int allStayOnThisProcessor(void);

/// Lets every thread run anywhere the calling one could before `allStayOnThisProcessor`.
void allGoWhereverThereIsRoom(void);

/// How many processors the calling thread may run on, which may be fewer than there are.
int processorsAllowed(void);
