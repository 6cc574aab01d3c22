#include "server/memory_allocator.h"

// A thread of jemalloc gives freed memory back five seconds later, also when no
// call comes.
const char* malloc_conf =
    "background_thread:true,dirty_decay_ms:5000,muzzy_decay_ms:0";
