// A bounded fork-join loop over an index range.
#ifndef SLICE_COMMON_PARALLEL_H_
#define SLICE_COMMON_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace slice {

// Calls body(begin, end, worker) over [0, count) in pieces of at most `grain`
// indices, from `threads` threads, one of which is the caller's. Returns when
// all pieces are done. Pieces are handed out dynamically; `worker` is in [0,
// threads). When the system starts fewer threads, those do all the work. With
// threads <= 1 everything runs in order on the caller's thread.
void ParallelFor(
    size_t count, size_t grain, int threads,
    const std::function<void(size_t begin, size_t end, int worker)>& body);

}  // namespace slice

#endif  // SLICE_COMMON_PARALLEL_H_
