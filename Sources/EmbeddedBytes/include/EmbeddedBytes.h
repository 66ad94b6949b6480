#include <stddef.h>

/// The bytes of a file that is part of the program.
struct EmbeddedBytes {
    const void *_Nullable start;
    size_t count;
};

/// The bytes of the file with that name; without a start if no such file is embedded. They stay where they are.
struct EmbeddedBytes embeddedBytes(const char *_Nonnull name);
