// The C library's module for Swift leaves these headers out. There is no code of ours behind them.
#if __linux__
#include <malloc.h>
#include <sys/epoll.h>
#endif
