#include "ThreadLocalFrame.h"

const uintptr_t juicestand_no_frame[4] = {0};
__thread const uintptr_t *juicestand_frame_word JUICESTAND_TLS = juicestand_no_frame;
__thread void *juicestand_record_word JUICESTAND_TLS = 0;
