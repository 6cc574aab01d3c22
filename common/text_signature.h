// The bytes of a text in one word, to compare texts fast and roughly.
#ifndef SLICE_COMMON_TEXT_SIGNATURE_H_
#define SLICE_COMMON_TEXT_SIGNATURE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slice {

// The set of bytes of a text, hashed to 64 bits, and the length of the text.
// Comparing two takes about a nanosecond, so that a search can pass over
// millions of names. A value type.
class TextSignature {
 public:
  // The signature of no text, which matches nothing.
  TextSignature() = default;
  explicit TextSignature(std::string_view lower_text);

  // A lower bound on the number of different bytes of this text that do not
  // occur in `other`.
  int MissingIn(TextSignature other) const;
  // In bytes, at most 255; 0 only for no text.
  size_t length() const { return length_; }

 private:
  uint64_t bytes_ = 0;
  uint8_t length_ = 0;
};

}  // namespace slice

#endif  // SLICE_COMMON_TEXT_SIGNATURE_H_
