// Bounds the calls of a connection that has not agreed to a bound.
#ifndef SLICE_COMMON_EARLY_STREAMS_H_
#define SLICE_COMMON_EARLY_STREAMS_H_

#include <cstdint>

namespace slice {

// A server tells its clients in its HTTP/2 settings how many calls a connection
// may have open. gRPC 1.51 enforces that number once the client has
// acknowledged the settings, and until then takes in calls without end: faster
// than it shows them to the server, so that CallGuard comes too late. After
// this function gRPC ends a connection that has more than `most` calls open
// before it has acknowledged. `most` must not be the number in the settings:
// gRPC does not send what is the default. Call it before the first thread
// starts. Returns false when it changed nothing, because the program has
// another gRPC or none.
bool LimitEarlyStreams(uint32_t most);

}  // namespace slice

#endif  // SLICE_COMMON_EARLY_STREAMS_H_
