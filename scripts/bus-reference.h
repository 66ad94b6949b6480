#include <stddef.h>

/// An observer as C programs keep it.
struct observer {
    void (*call)(const void *value, void *context);
    void *context;
};

/// Calls `count` observers in order.
void call_observers(const struct observer *observers, size_t count, const void *value);
