// Options of jemalloc, which allocates the memory of slice-server. A graph that
// changes frees small blocks between others that stay in use. jemalloc keeps
// blocks of one size together, so it can give more of that memory back to the
// machine than the allocator of the C library can.
#ifndef SLICE_SERVER_MEMORY_ALLOCATOR_H_
#define SLICE_SERVER_MEMORY_ALLOCATOR_H_

// jemalloc(3) reads it before main. The environment variable MALLOC_CONF
// overrides it.
extern "C" const char* malloc_conf;

#endif  // SLICE_SERVER_MEMORY_ALLOCATOR_H_
