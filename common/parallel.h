// A bounded fork-join loop over an index range.
#ifndef SLICE_COMMON_PARALLEL_H_
#define SLICE_COMMON_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace slice {

// Calls body(begin, end, worker) over [0, count) in pieces of at most `grain`
// indices, from `threads` threads (the caller's among them); returns when all
// pieces are done. Pieces are handed out dynamically; `worker` is in [0,
// threads). Where the system gives fewer threads, these do it. With threads <=
// 1 everything runs in order on the caller.
void ParallelFor(
    size_t count, size_t grain, int threads,
    const std::function<void(size_t begin, size_t end, int worker)>& body);

}  // namespace slice

#endif  // SLICE_COMMON_PARALLEL_H_
