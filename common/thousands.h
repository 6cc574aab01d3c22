// Counts for readers.
#ifndef SLICE_COMMON_THOUSANDS_H_
#define SLICE_COMMON_THOUSANDS_H_

#include <cstdint>
#include <string>

namespace slice {

// The count with its digits in groups of three: "1,234,567".
std::string FormatThousands(uint64_t count);

}  // namespace slice

#endif  // SLICE_COMMON_THOUSANDS_H_
