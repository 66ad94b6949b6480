/// Counts the calls of `malloc` from now on.
///
/// At other times none is counted, so that threads that allocate do not get into each other's way.
void beginCountingMallocs(void);

/// Ends the counting and returns how many there were; 0 where the C library does not let them be counted.
long endCountingMallocs(void);
