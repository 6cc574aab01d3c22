// Keys are found in the hash table by_key_. Names are found in by_name_, which
// is sorted by lower-case name, so that equal names are neighbours and the
// names with one prefix are a range.
//
// Near misses come from two searches, whose finds NearMissSearch ranks:
//   OfferNeighbors tries the names around the place where the text would be in
//   by_name_, and the names that are a start of the text.
//   OfferSimilar looks up the rarest grams of the text
//   (graphstore/gram_index.h) and compares the names and keys that contain one
//   of them, after a quick test of their signatures.
// The k constants bound the work, so that an unknown name cannot make a request
// slow.
#include "graphstore/name_index.h"

#include <algorithm>
#include <bit>
#include <numeric>

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

NameIndex::NameIndex(const GraphCatalogue* catalogue)
    : catalogue_(catalogue),
      by_key_(std::bit_ceil(2 * catalogue->nodes.size() + 1), kNoNode),
      by_name_(catalogue->nodes.size()),
      grams_([catalogue](const auto& add) {
        for (NodeId id = 0; id < catalogue->nodes.size(); ++id) {
          const NodeRecord& node = catalogue->nodes[id];
          add(id, Lower(node.name));
          if (node.key != node.name) add(id, Lower(node.key));
        }
      }) {
  const std::vector<NodeRecord>& nodes = catalogue_->nodes;
  folded_.reserve(nodes.size());
  signatures_.reserve(nodes.size());
  for (const NodeRecord& node : nodes) {
    folded_.push_back(Lower(node.name));
    signatures_.push_back(
        {TextSignature(folded_.back()), node.key == node.name
                                            ? TextSignature()
                                            : TextSignature(Lower(node.key))});
  }
  for (NodeId node = 0; node < nodes.size(); ++node) AddKey(node);
  std::iota(by_name_.begin(), by_name_.end(), NodeId{0});
  std::sort(by_name_.begin(), by_name_.end(), [&](NodeId a, NodeId b) {
    const int order = folded_[a].compare(folded_[b]);
    return order != 0 ? order < 0 : a < b;
  });
}

size_t NameIndex::FirstSlot(std::string_view key) const {
  return HashBytes(key) & (by_key_.size() - 1);
}

void NameIndex::AddKey(NodeId node) {
  size_t slot = FirstSlot(catalogue_->nodes[node].key);
  while (by_key_[slot] != kNoNode) slot = (slot + 1) & (by_key_.size() - 1);
  by_key_[slot] = node;
}

std::optional<NodeId> NameIndex::FindKey(std::string_view key) const {
  const size_t mask = by_key_.size() - 1;
  for (size_t slot = FirstSlot(key);; slot = (slot + 1) & mask) {
    const NodeId node = by_key_[slot];
    if (node == kNoNode) return std::nullopt;
    if (catalogue_->nodes[node].key == key) return node;
  }
}

size_t NameIndex::PlaceOf(std::string_view lower) const {
  const auto place = std::lower_bound(
      by_name_.begin(), by_name_.end(), lower,
      [&](NodeId id, std::string_view text) { return folded_[id] < text; });
  return static_cast<size_t>(place - by_name_.begin());
}

std::vector<NodeId> NameIndex::FindName(std::string_view name,
                                        std::optional<NodeTypeId> type) const {
  const std::string lower = Lower(name);
  auto position =
      by_name_.begin() + static_cast<std::ptrdiff_t>(PlaceOf(lower));
  std::vector<NodeId> exact;
  std::vector<NodeId> any_case;
  for (; position != by_name_.end() && folded_[*position] == lower;
       ++position) {
    const NodeRecord& node = catalogue_->nodes[*position];
    if (type.has_value() && node.type != *type) continue;
    any_case.push_back(*position);
    if (node.name == name) exact.push_back(*position);
  }
  return exact.empty() ? any_case : exact;
}

std::vector<NodeId> NameIndex::FindPrefix(std::string_view prefix,
                                          std::optional<NodeTypeId> type,
                                          size_t offset, size_t limit) const {
  const std::string lower = Lower(prefix);
  auto position =
      by_name_.begin() + static_cast<std::ptrdiff_t>(PlaceOf(lower));
  std::vector<NodeId> found;
  for (; position != by_name_.end() && found.size() < limit &&
         folded_[*position].starts_with(lower);
       ++position) {
    if (type.has_value() && catalogue_->nodes[*position].type != *type)
      continue;
    if (offset > 0) {
      --offset;
    } else {
      found.push_back(*position);
    }
  }
  return found;
}

std::vector<std::string> NameIndex::NearMisses(std::string_view text,
                                               size_t limit) const {
  if (limit == 0) return {};
  const std::string lower = Lower(text);
  NearMissSearch search(lower, limit);
  OfferNeighbors(lower, search);
  OfferSimilar(lower, search);
  return search.Best();
}

// Names that share the start of the text are next to its place. A name that is
// itself a start of the text sorts further ahead and is looked up.
void NameIndex::OfferNeighbors(std::string_view lower,
                               NearMissSearch& search) const {
  const auto offer = [&](size_t place) {
    const NodeId node = by_name_[place];
    search.Offer(folded_[node], catalogue_->nodes[node].name);
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

void NameIndex::OfferSimilar(std::string_view lower,
                             NearMissSearch& search) const {
  size_t visited = 0, compared = 0;
  for (const Gram gram : RareGrams(grams_, lower, MostEdits(lower.size()))) {
    grams_.ForEach(gram, [&](NodeId id) {
      const NodeRecord& node = catalogue_->nodes[id];
      const NodeSignature& signature = signatures_[id];
      const bool name = search.MayMatch(signature.name);
      const bool key = search.MayMatch(signature.key);
      if (name) search.Offer(folded_[id], node.name);
      if (key) search.Offer(Lower(node.key), node.key);
      compared += name + key;
      return ++visited < kMostVisited && compared < kMostCompared;
    });
  }
}

}  // namespace slice
