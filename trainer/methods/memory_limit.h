// Whether a training fits into memory, asked before it starts.
#ifndef SLICE_TRAINER_METHODS_MEMORY_LIMIT_H_
#define SLICE_TRAINER_METHODS_MEMORY_LIMIT_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace slice {

// What the process may still take: what the machine has available, or less
// where a control group allows less. The largest number when the kernel does
// not tell.
uint64_t AvailableMemoryBytes();

// RESOURCE_EXHAUSTED, with both figures and `remedy` ("a smaller dim"), when
// `what` needs more than there is.
absl::Status RequireMemory(std::string_view what, uint64_t needed_bytes,
                           uint64_t available_bytes, std::string_view remedy);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MEMORY_LIMIT_H_
