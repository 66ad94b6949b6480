#include "bus-reference.h"

void call_observers(const struct observer *observers, size_t count, const void *value) {
    for (size_t index = 0; index < count; index++) observers[index].call(value, observers[index].context);
}
