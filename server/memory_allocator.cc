// Options of jemalloc, which allocates the memory of slice-server. A graph that
// changes frees small blocks between others that stay in use. jemalloc keeps
// blocks of one size together, so it can give more of that memory back to the
// machine than the allocator of the C library can.
//   background_thread, dirty_decay_ms: a thread of jemalloc gives freed memory
//     back five seconds later, also when no call comes
// The environment variable MALLOC_CONF overrides them.
extern "C" {
extern const char* malloc_conf;  // jemalloc reads it before main
const char* malloc_conf =
    "background_thread:true,dirty_decay_ms:5000,muzzy_decay_ms:0";
}
