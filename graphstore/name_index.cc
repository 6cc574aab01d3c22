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
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "graphstore/near_miss.h"

namespace slice {
namespace {

constexpr size_t kListedKeys = 5;

// Bounds on a search for near misses.
constexpr size_t kNeighbors = 16;       // names tried on each side of the text
constexpr size_t kMostVisited = 20000;  // nodes whose signatures are tested
constexpr size_t kMostCompared = 2000;  // names and keys compared byte by byte

std::string Lower(std::string_view text) {
  return absl::AsciiStrToLower(absl::string_view(text.data(), text.size()));
}

std::string Quoted(std::string_view text) {
  return absl::StrCat("\"", absl::string_view(text.data(), text.size()), "\"");
}

std::string DidYouMean(const std::vector<std::string>& suggestions) {
  if (suggestions.empty()) return "";
  return absl::StrCat("; did you mean \"",
                      absl::StrJoin(suggestions, "\" or \""), "\"?");
}

// A type of the catalogue by name.
std::optional<NodeTypeId> FindType(const GraphCatalogue& catalogue,
                                   std::string_view type) {
  for (size_t id = 0; id < catalogue.node_types.size(); ++id) {
    if (catalogue.node_types[id] == type) return static_cast<NodeTypeId>(id);
  }
  return std::nullopt;
}

// The type that is asked for; no value for the empty name, any type.
absl::StatusOr<std::optional<NodeTypeId>> WantedType(
    const GraphCatalogue& catalogue, std::string_view type) {
  if (type.empty()) return std::nullopt;
  const auto id = FindType(catalogue, type);
  if (id.has_value()) return id;
  return absl::NotFoundError(
      absl::StrCat("no node type is called ", Quoted(type), "; there is ",
                   absl::StrJoin(catalogue.node_types, ", ")));
}

absl::Status OfAnotherType(const GraphCatalogue& catalogue, NodeId node,
                           NodeTypeId wanted) {
  const NodeRecord& found = catalogue.nodes[node];
  return absl::NotFoundError(
      absl::StrCat("node ", Quoted(found.key), " has the type ",
                   Quoted(catalogue.node_types[found.type]), ", not ",
                   Quoted(catalogue.node_types[wanted])));
}

absl::Status Ambiguous(const GraphCatalogue& catalogue, std::string_view name,
                       const std::vector<NodeId>& nodes) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < std::min(nodes.size(), kListedKeys); ++i)
    keys.push_back(catalogue.nodes[nodes[i]].key);
  std::string more;
  if (nodes.size() > kListedKeys)
    more = absl::StrCat(" and ", nodes.size() - kListedKeys, " more");
  return absl::FailedPreconditionError(absl::StrCat(
      "name ", Quoted(name), " is ambiguous: ", nodes.size(),
      " nodes have it; use one of the keys ", absl::StrJoin(keys, ", "), more));
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

std::vector<NodeId> NameIndex::NodesCalled(
    std::string_view name, std::optional<NodeTypeId> type) const {
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

absl::StatusOr<NodeId> NameIndex::FindName(std::string_view name,
                                           std::string_view type,
                                           size_t suggestions) const {
  SLICE_ASSIGN_OR_RETURN(std::optional<NodeTypeId> wanted,
                         WantedType(*catalogue_, type));
  std::vector<NodeId> nodes = NodesCalled(name, wanted);
  std::string_view bare = name;
  if (nodes.empty() && !wanted.has_value()) {
    if (const auto prefix = SplitType(name); prefix.has_value()) {
      wanted = prefix->type;
      bare = prefix->rest;
      nodes = NodesCalled(bare, wanted);
    }
  }
  if (nodes.size() == 1) return nodes.front();
  if (nodes.size() > 1) return Ambiguous(*catalogue_, bare, nodes);
  if (wanted.has_value()) {
    std::vector<NodeId> others = NodesCalled(bare, std::nullopt);
    if (const auto node = FindKey(bare); node.has_value()) others = {*node};
    if (!others.empty()) return OfAnotherType(*catalogue_, others[0], *wanted);
  }
  return absl::NotFoundError(absl::StrCat(
      "no node has the key or name ", Quoted(bare),
      wanted.has_value() ? absl::StrCat(" and the type \"",
                                        catalogue_->node_types[*wanted], "\"")
                         : "",
      DidYouMean(NearMisses(bare, suggestions))));
}

absl::StatusOr<NodeId> NameIndex::Resolve(std::string_view text,
                                          std::string_view type,
                                          size_t suggestions) const {
  SLICE_ASSIGN_OR_RETURN(std::optional<NodeTypeId> wanted,
                         WantedType(*catalogue_, type));
  const auto matches = [&](std::optional<NodeId> node) {
    return node.has_value() &&
           (!wanted.has_value() || catalogue_->nodes[*node].type == *wanted);
  };
  if (const auto node = FindKey(text); matches(node)) return *node;
  if (!wanted.has_value() && NodesCalled(text, std::nullopt).empty()) {
    if (const auto prefix = SplitType(text); prefix.has_value()) {
      wanted = prefix->type;
      if (const auto node = FindKey(prefix->rest); matches(node)) return *node;
    }
  }
  return FindName(text, type, suggestions);
}

std::optional<NameIndex::TypedText> NameIndex::SplitType(
    std::string_view text) const {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto type = FindType(*catalogue_, text.substr(0, colon));
  if (!type.has_value()) return std::nullopt;
  return TypedText{*type, text.substr(colon + 1)};
}

std::vector<NodeId> NameIndex::FindPrefix(std::string_view prefix,
                                          std::string_view type, size_t offset,
                                          size_t limit) const {
  std::optional<NodeTypeId> wanted;
  if (!type.empty()) {
    wanted = FindType(*catalogue_, type);
    if (!wanted.has_value()) return {};
  }
  const std::string lower = Lower(prefix);
  auto position =
      by_name_.begin() + static_cast<std::ptrdiff_t>(PlaceOf(lower));
  std::vector<NodeId> found;
  for (; position != by_name_.end() && found.size() < limit &&
         folded_[*position].starts_with(lower);
       ++position) {
    if (wanted.has_value() && catalogue_->nodes[*position].type != *wanted)
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

std::vector<std::string> NearestStrings(
    std::string_view text, const std::vector<std::string>& candidates,
    size_t limit) {
  NearMissSearch search(Lower(text), limit);
  for (const std::string& candidate : candidates)
    search.Offer(Lower(candidate), candidate);
  return search.Best();
}

}  // namespace slice
