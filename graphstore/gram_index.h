// Which texts hold which pairs of neighbouring bytes: to find the texts that
// may be near to another one without a look at all of them.
#ifndef SLICE_GRAPHSTORE_GRAM_INDEX_H_
#define SLICE_GRAPHSTORE_GRAM_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace slice {

// Two neighbouring bytes of a text: a 2-gram.
using Gram = uint16_t;

// Immutable; thread-safe. Takes half a megabyte, and one to three bytes for
// each different gram of a text.
class GramIndex {
 public:
  // Calls what it is given with each text and its number. Numbers ascend;
  // several texts may have the same one.
  using ForEachText = std::function<void(
      const std::function<void(uint32_t, std::string_view)>&)>;
  explicit GramIndex(const ForEachText& for_each_text);

  // Size of the list of a gram; 0 when no text holds it.
  size_t bytes(Gram gram) const { return begin_[gram + 1] - begin_[gram]; }

  // Calls `visit` with the numbers of the texts that hold the gram, ascending,
  // each once, until it returns false.
  template <typename Visit>
  void ForEach(Gram gram, Visit visit) const {
    uint32_t number = 0;
    for (size_t at = begin_[gram]; at < begin_[gram + 1];) {
      uint32_t step = 0;
      int shift = 0;
      while ((lists_[at] & 0x80) != 0) {
        step |= uint32_t{lists_[at++]} % 0x80 << shift;
        shift += 7;
      }
      number += step | uint32_t{lists_[at++]} << shift;
      if (!visit(number - 1)) return;
    }
  }

 private:
  // Steps from number to number, beginning with 0 for none: seven bits a byte,
  // the lowest first, the highest bit set but in the last one (LEB128).
  std::vector<uint8_t> lists_;
  std::vector<size_t> begin_;  // of the list of each gram, and the end
};

// One gram of each of several parts of a text, those in the fewest texts first.
// A text that is `most_edits` away holds one of them, unless an edit swaps two
// bytes across parts in a text too short to be cut into enough parts; so does
// any text that contains this one. Empty when the text has less than two bytes.
std::vector<Gram> RareGrams(const GramIndex& index, std::string_view text,
                            size_t most_edits);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAM_INDEX_H_
