#include "common/parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace slice {

void ParallelFor(size_t count, size_t grain, int threads,
                 const std::function<void(size_t, size_t, int)>& body) {
  grain = std::max<size_t>(grain, 1);
  const size_t pieces = (count + grain - 1) / grain;
  std::atomic<size_t> next{0};
  const auto work = [&](int worker) {
    for (size_t begin = next.fetch_add(grain); begin < count;
         begin = next.fetch_add(grain)) {
      body(begin, std::min(begin + grain, count), worker);
    }
  };
  std::vector<std::jthread> helpers;
  for (int worker = 1; worker < threads && static_cast<size_t>(worker) < pieces;
       ++worker) {
    try {
      helpers.emplace_back(work, worker);
    } catch (const std::system_error&) {
      break;  // no more threads: those that run do all the work
    }
  }
  work(0);
}

}  // namespace slice
