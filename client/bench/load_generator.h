// Runs a load on a server with two threads: the calling one sends, the other
// takes answers (and sends, in a closed loop).
#ifndef SLICE_CLIENT_BENCH_LOAD_GENERATOR_H_
#define SLICE_CLIENT_BENCH_LOAD_GENERATOR_H_

#include <cstdint>
#include <functional>

#include "client/bench/load_run.h"

namespace slice {

struct GeneratedLoad {
  LoadResult result;
  // Processor time of this program over the time the load took: how much of a
  // core it took away from a server on the same machine.
  double generator_cores = 0;
};

// `calls` has the slots of `shape`; it takes no call afterwards. Returns when
// every call has ended. `tick` is called several times a second with the number
// of calls that ended so far; when it returns false, sending ends.
GeneratedLoad RunLoad(const LoadShape& shape, LoadCalls* calls,
                      const std::function<bool(int64_t finished)>& tick);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_GENERATOR_H_
