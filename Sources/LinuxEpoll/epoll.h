// The C library's module for Swift leaves this header out. There is no code of ours behind it.
#if __linux__
#include <sys/epoll.h>
#endif
