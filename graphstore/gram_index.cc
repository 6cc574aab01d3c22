#include "graphstore/gram_index.h"

#include <algorithm>

namespace slice {
namespace {

constexpr size_t kGrams = size_t{1} << 16;

Gram GramAt(std::string_view text, size_t at) {
  return static_cast<Gram>(static_cast<unsigned char>(text[at]) << 8 |
                           static_cast<unsigned char>(text[at + 1]));
}

size_t Leb128Bytes(uint32_t value) {
  size_t bytes = 1;
  while (value >>= 7) ++bytes;
  return bytes;
}

uint8_t* WriteLeb128(uint32_t value, uint8_t* out) {
  for (; value >= 0x80; value >>= 7) {
    *out++ = static_cast<uint8_t>(value | 0x80);
  }
  *out++ = static_cast<uint8_t>(value);
  return out;
}

// Calls add(gram, step) once for each number and each different gram of its
// texts. `step` is that number minus the number before it in the list of the
// gram; for the first number in the list, it is that number plus 1.
template <typename Add>
void ForEachStep(const GramIndex::ForEachText& for_each_text, Add add) {
  std::vector<uint32_t> last(kGrams, 0);  // the last number plus one
  for_each_text([&](uint32_t number, std::string_view text) {
    for (size_t at = 0; at + 1 < text.size(); ++at) {
      const Gram gram = GramAt(text, at);
      if (last[gram] == number + 1) continue;
      add(gram, number + 1 - last[gram]);
      last[gram] = number + 1;
    }
  });
}

}  // namespace

GramIndex::GramIndex(const ForEachText& for_each_text) : begin_(kGrams + 1, 0) {
  ForEachStep(for_each_text, [&](Gram gram, uint32_t step) {
    begin_[gram + 1] += Leb128Bytes(step);
  });
  for (size_t gram = 0; gram < kGrams; ++gram) begin_[gram + 1] += begin_[gram];
  lists_.resize(begin_.back());
  std::vector<size_t> end(begin_.begin(), begin_.end() - 1);
  ForEachStep(for_each_text, [&](Gram gram, uint32_t step) {
    uint8_t* const out = lists_.data() + end[gram];
    end[gram] += static_cast<size_t>(WriteLeb128(step, out) - out);
  });
}

std::vector<Gram> RareGrams(const GramIndex& index, std::string_view text,
                            size_t most_edits) {
  std::vector<Gram> rare;
  if (text.size() < 2) return rare;
  // An edit spoils the gram of one part, but a swap of two bytes on both sides
  // of a border spoils the grams of two parts.
  const size_t parts =
      std::max(most_edits + 1, std::min(2 * most_edits + 1, text.size() / 2));
  for (size_t part = 0; part < parts; ++part) {
    const size_t begin = std::min(part * text.size() / parts, text.size() - 2);
    const size_t end = std::max(begin + 2, (part + 1) * text.size() / parts);
    Gram rarest = GramAt(text, begin);
    for (size_t at = begin + 1; at + 1 < end; ++at) {
      const Gram gram = GramAt(text, at);
      if (index.bytes(gram) < index.bytes(rarest)) rarest = gram;
    }
    rare.push_back(rarest);
  }
  std::sort(rare.begin(), rare.end(), [&](Gram a, Gram b) {
    const size_t a_bytes = index.bytes(a), b_bytes = index.bytes(b);
    return a_bytes != b_bytes ? a_bytes < b_bytes : a < b;
  });
  rare.erase(std::unique(rare.begin(), rare.end()), rare.end());
  return rare;
}

}  // namespace slice
