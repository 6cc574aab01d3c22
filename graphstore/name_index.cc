// Keys are found in the hash table by_key_. Names are found in by_name_, which
// is sorted by lower-case name, so that equal names are neighbours and the
// names with one prefix are a range. Namesakes are sorted by type and spelling,
// so that those who are meant are a range, too, however many there are.
//
// Near misses come from two searches, whose finds NearMissSearch ranks:
//   OfferNeighbors tries the names around the place where the text would be in
//   by_name_, and the names that are a start of the text.
//   OfferByGrams looks up the rarest grams of the text
//   (graphstore/gram_index.h) and compares the names and keys that contain one
//   of them, after a quick test of their signatures.
// The k constants bound the work, so that an unknown name cannot make a request
// slow.
#include "graphstore/name_index.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "absl/strings/ascii.h"
#include "common/near_miss.h"
#include "common/random.h"

namespace slice {
namespace {

// Bounds on a search for near misses.
constexpr size_t kNeighbors = 16;       // names tried on each side of the text
constexpr size_t kMostVisited = 20000;  // nodes whose signatures are tested
constexpr size_t kMostCompared = 2000;  // names and keys compared byte by byte

std::string Lower(std::string_view text) {
  return absl::AsciiStrToLower(absl::string_view(text.data(), text.size()));
}

}  // namespace

NameIndex::NameIndex(std::span<const NodeRecord> nodes,
                     const std::vector<bool>& removed)
    : nodes_(nodes),
      by_key_(std::bit_ceil(2 * nodes.size() + 1), kNoRow),
      folded_(nodes.size()),
      signatures_(nodes.size()),
      grams_([&](const auto& add) {
        for (uint32_t row = 0; row < nodes.size(); ++row) {
          const NodeRecord& node = nodes[row];
          if (!removed.empty() && removed[row]) continue;
          add(row, Lower(node.name));
          if (node.key != node.name) add(row, Lower(node.key));
        }
      }) {
  for (uint32_t row = 0; row < nodes.size(); ++row) {
    const NodeRecord& node = nodes[row];
    AddKey(row);
    if (!removed.empty() && removed[row]) continue;
    by_name_.push_back(row);
    folded_[row] = Lower(node.name);
    signatures_[row].name = TextSignature(folded_[row]);
    if (node.key != node.name)
      signatures_[row].key = TextSignature(Lower(node.key));
  }
  std::sort(by_name_.begin(), by_name_.end(), [&](uint32_t a, uint32_t b) {
    const int order = folded_[a].compare(folded_[b]);
    if (order != 0) return order < 0;
    return std::tie(nodes_[a].type, nodes_[a].name, a) <
           std::tie(nodes_[b].type, nodes_[b].name, b);
  });
}

size_t NameIndex::FirstSlot(std::string_view key) const {
  return HashBytes(key) & (by_key_.size() - 1);
}

void NameIndex::AddKey(uint32_t row) {
  size_t slot = FirstSlot(nodes_[row].key);
  while (by_key_[slot] != kNoRow) slot = (slot + 1) & (by_key_.size() - 1);
  by_key_[slot] = row;
}

std::optional<uint32_t> NameIndex::FindKey(std::string_view key) const {
  const size_t mask = by_key_.size() - 1;
  for (size_t slot = FirstSlot(key);; slot = (slot + 1) & mask) {
    const uint32_t row = by_key_[slot];
    if (row == kNoRow) return std::nullopt;
    if (nodes_[row].key == key) return row;
  }
}

size_t NameIndex::PlaceOf(std::string_view lower) const {
  const auto place = std::lower_bound(
      by_name_.begin(), by_name_.end(), lower,
      [&](uint32_t row, std::string_view text) { return folded_[row] < text; });
  return static_cast<size_t>(place - by_name_.begin());
}

void NameIndex::ForEachNamed(const WantedName& wanted, VisitRows visit) const {
  using Rows = std::span<const uint32_t>;
  const auto type = [&](uint32_t row) { return nodes_[row].type; };
  const auto name = [&](uint32_t row) {
    return std::string_view(nodes_[row].name);
  };
  const auto lower = [&](uint32_t row) {
    return std::string_view(folded_[row]);
  };
  Rows rows(std::ranges::equal_range(by_name_, wanted.lower, {}, lower));
  while (!rows.empty()) {
    Rows part(std::ranges::equal_range(
        rows, wanted.type.value_or(type(rows.front())), {}, type));
    rows = wanted.type ? Rows() : rows.subspan(part.size());
    if (wanted.spelled)
      part = Rows(std::ranges::equal_range(part, *wanted.spelled, {}, name));
    if (!part.empty()) visit(part);
  }
}

void NameIndex::OfferSimilar(std::string_view lower, Accept accept,
                             NearMissSearch& search) const {
  OfferNeighbors(lower, accept, search);
  OfferByGrams(lower, accept, search);
}

// Names that share the start of the text are next to its place. A name that is
// itself a start of the text sorts further ahead and is looked up.
void NameIndex::OfferNeighbors(std::string_view lower, Accept accept,
                               NearMissSearch& search) const {
  const auto offer = [&](size_t place) {
    const uint32_t row = by_name_[place];
    if (accept(row)) search.Offer(folded_[row], nodes_[row].name);
  };
  const size_t place = PlaceOf(lower);
  for (size_t i = place - std::min(place, kNeighbors);
       i < std::min(place + kNeighbors, by_name_.size()); ++i) {
    offer(i);
  }
  for (size_t length = (lower.size() + 1) / 2; length < lower.size();
       ++length) {
    const std::string_view start = lower.substr(0, length);
    const size_t at = PlaceOf(start);
    if (at < by_name_.size() && folded_[by_name_[at]] == start) offer(at);
  }
}

void NameIndex::OfferByGrams(std::string_view lower, Accept accept,
                             NearMissSearch& search) const {
  size_t visited = 0, compared = 0;
  for (const Gram gram : RareGrams(grams_, lower, MostEdits(lower.size()))) {
    grams_.ForEach(gram, [&](uint32_t row) {
      const NodeRecord& node = nodes_[row];
      const NodeSignature& signature = signatures_[row];
      const bool name = search.MayMatch(signature.name);
      const bool key = search.MayMatch(signature.key);
      if ((name || key) && accept(row)) {
        if (name) search.Offer(folded_[row], node.name);
        if (key) search.Offer(Lower(node.key), node.key);
      }
      compared += name + key;
      return ++visited < kMostVisited && compared < kMostCompared;
    });
  }
}

}  // namespace slice
