// Runs a load on a server with two threads. The calling thread sends calls. The
// other thread takes the answers and, in a closed loop, sends the next calls.
#ifndef SLICE_CLIENT_BENCH_LOAD_GENERATOR_H_
#define SLICE_CLIENT_BENCH_LOAD_GENERATOR_H_

#include <cstdint>
#include <functional>

#include "client/bench/load_run.h"

namespace slice {

struct GeneratedLoad {
  LoadResult result;
  // Processor time of this program divided by the duration of the load. That is
  // how many cores the program takes from a server on the same machine.
  double generator_cores = 0;
};

// Sends calls as `shape` says, and returns when every call has ended. `calls`
// must have shape.slots slots, and cannot be used again. `tick` is called
// several times a second with the number of calls that have ended. When `tick`
// returns false, no more calls are sent.
GeneratedLoad RunLoad(const LoadShape& shape, LoadCalls* calls,
                      const std::function<bool(int64_t finished)>& tick);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_GENERATOR_H_
