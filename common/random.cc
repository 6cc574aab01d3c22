#include "common/random.h"

#include <xxhash.h>

namespace slice {

uint64_t HashBytes(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace slice
