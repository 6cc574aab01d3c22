// A bounded fork-join loop over an index range.
#ifndef SLICE_COMMON_PARALLEL_H_
#define SLICE_COMMON_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace slice {

// Cuts the indices [0, count) into pieces of at most `grain` and calls
// body(begin, end, worker) for each piece. Returns when all pieces are done.
//
// There are `threads` threads, one of which is the caller's. Each takes the
// next piece when it is free; `worker`, in [0, threads), says which thread
// calls. When the system starts fewer threads, those do all the work. With
// threads <= 1 all pieces run in order on the caller's thread.
void ParallelFor(
    size_t count, size_t grain, int threads,
    const std::function<void(size_t begin, size_t end, int worker)>& body);

}  // namespace slice

#endif  // SLICE_COMMON_PARALLEL_H_
