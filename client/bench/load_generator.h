// Runs a load on a server with two threads: the calling thread sends, the other
// takes answers and, in a closed loop, sends the next calls.
#ifndef SLICE_CLIENT_BENCH_LOAD_GENERATOR_H_
#define SLICE_CLIENT_BENCH_LOAD_GENERATOR_H_

#include <cstdint>
#include <functional>

#include "client/bench/load_run.h"

namespace slice {

struct GeneratedLoad {
  LoadResult result;
  // Processor time of this program divided by the time of the load: how many
  // cores it takes from a server on the same machine.
  double generator_cores = 0;
};

// Sends as `shape` says and returns when every call has ended. `calls` must
// have the slots of `shape`, and cannot be used again. `tick` is called several
// times a second with the number of calls that have ended; sending stops when
// it returns false.
GeneratedLoad RunLoad(const LoadShape& shape, LoadCalls* calls,
                      const std::function<bool(int64_t finished)>& tick);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_GENERATOR_H_
