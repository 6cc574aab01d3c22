// The two classes of requests.
#ifndef SLICE_SERVER_REQUEST_CLASS_H_
#define SLICE_SERVER_REQUEST_CLASS_H_

#include <cstdint>

namespace slice {

// Interactive work is served first. Bulk work gets what interactive work
// leaves, and a minimum share while both wait.
enum class RequestClass : uint8_t { kInteractive = 0, kBulk = 1 };
inline constexpr int kRequestClasses = 2;

}  // namespace slice

#endif  // SLICE_SERVER_REQUEST_CLASS_H_
