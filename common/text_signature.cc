#include "common/text_signature.h"

#include <algorithm>
#include <bit>

namespace slice {

TextSignature::TextSignature(std::string_view lower_text)
    : length_(static_cast<uint8_t>(
          std::min<size_t>(lower_text.size(), UINT8_MAX))) {
  for (const char c : lower_text)
    bytes_ |= uint64_t{1} << (static_cast<unsigned char>(c) & 63);
}

int TextSignature::MissingIn(TextSignature other) const {
  return std::popcount(bytes_ & ~other.bytes_);
}

}  // namespace slice
