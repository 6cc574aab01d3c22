#include "graphstore/node_names.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "common/near_miss.h"

namespace slice {
namespace {

// So many nodes of one name are counted one by one.
constexpr size_t kMostCounted = 64;

std::string Lower(std::string_view text) {
  return absl::AsciiStrToLower(absl::string_view(text.data(), text.size()));
}

}  // namespace

NodeNames::Tier::Tier(std::vector<NodeId> nodes,
                      std::shared_ptr<const NodeBlock> records)
    : ids(std::move(nodes)),
      block(std::move(records)),
      index(block->nodes, block->removed) {}

bool NodeNames::Tier::Has(NodeId node) const {
  return std::binary_search(ids.begin(), ids.end(), node);
}

NodeNames::NodeNames(std::shared_ptr<const NodeBlock> base) {
  tiers_.push_back(
      std::make_shared<Tier>(std::vector<NodeId>(), std::move(base)));
}

bool NodeNames::IsCurrent(size_t tier, uint32_t row) const {
  const NodeId node = tiers_[tier]->IdOf(row);
  for (size_t later = tier + 1; later < tiers_.size(); ++later) {
    if (tiers_[later]->Has(node)) return false;
  }
  return !tiers_[tier]->block->IsRemoved(row);
}

std::optional<NodeId> NodeNames::FindKey(std::string_view key) const {
  for (size_t tier = 0; tier < tiers_.size(); ++tier) {
    const auto row = tiers_[tier]->index.FindKey(key);
    if (row && IsCurrent(tier, *row)) return tiers_[tier]->IdOf(*row);
  }
  return std::nullopt;
}

std::optional<NodeId> NodeNames::FindRemovedKey(std::string_view key) const {
  if (FindKey(key).has_value()) return std::nullopt;
  for (const TierPointer& tier : tiers_) {
    const auto row = tier->index.FindKey(key);
    if (row) return tier->IdOf(*row);
  }
  return std::nullopt;
}

template <typename Visit>
void NodeNames::ForEachFrom(std::string_view lower, Visit visit) const {
  // A place in the order; tiers are merged by it.
  using Key =
      std::tuple<std::string_view, NodeTypeId, std::string_view, NodeId>;
  std::vector<size_t> places;  // by tier: the next in its order of names
  for (const TierPointer& tier : tiers_)
    places.push_back(tier->index.PlaceOf(lower));
  for (;;) {
    size_t first = tiers_.size();
    Key least;
    for (size_t t = 0; t < tiers_.size(); ++t) {
      const Tier& tier = *tiers_[t];
      const auto rows = tier.index.by_name();
      // The first row that does not match ends the tier, also a changed one.
      while (places[t] < rows.size() && !IsCurrent(t, rows[places[t]]) &&
             tier.index.LowerName(rows[places[t]]).starts_with(lower)) {
        ++places[t];
      }
      if (places[t] == rows.size()) continue;
      const uint32_t row = rows[places[t]];
      const NodeRecord& node = tier.block->nodes[row];
      const Key here = {tier.index.LowerName(row), node.type, node.name,
                        tier.IdOf(row)};
      if (!std::get<0>(here).starts_with(lower)) continue;
      if (first == tiers_.size() || here < least) {
        first = t;
        least = here;
      }
    }
    if (first == tiers_.size()) return;
    const Tier& tier = *tiers_[first];
    const uint32_t row = tier.index.by_name()[places[first]++];
    if (!visit(tier.IdOf(row), tier.block->nodes[row])) return;
  }
}

Namesakes NodeNames::Find(const WantedName& wanted, size_t limit) const {
  Namesakes found;
  for (size_t t = 0; t < tiers_.size(); ++t) {
    tiers_[t]->index.ForEachNamed(wanted, [&](std::span<const uint32_t> rows) {
      size_t at = 0;
      for (; at < rows.size() && found.count < kMostCounted; ++at) {
        if (!IsCurrent(t, rows[at])) continue;
        ++found.count;
        if (found.nodes.size() < limit)
          found.nodes.push_back(tiers_[t]->IdOf(rows[at]));
      }
      found.count += rows.size() - at;
      // All rows of the last tier are current.
      if (at < rows.size() && t + 1 < tiers_.size()) found.is_exact = false;
    });
  }
  std::sort(found.nodes.begin(), found.nodes.end());
  return found;
}

Namesakes NodeNames::FindName(std::string_view name,
                              std::optional<NodeTypeId> type,
                              size_t limit) const {
  const std::string lower = Lower(name);
  Namesakes found = Find({lower, type, name}, limit);
  return found.count > 0 ? found : Find({lower, type}, limit);
}

std::vector<NodeId> NodeNames::FindPrefix(std::string_view prefix,
                                          std::optional<NodeTypeId> type,
                                          size_t offset, size_t limit) const {
  std::vector<NodeId> found;
  if (limit == 0) return found;
  ForEachFrom(Lower(prefix), [&](NodeId node, const NodeRecord& record) {
    if (type.has_value() && record.type != *type) return true;
    if (offset > 0) {
      --offset;
    } else {
      found.push_back(node);
    }
    return found.size() < limit;
  });
  return found;
}

std::vector<std::string> NodeNames::NearMisses(
    std::string_view text, size_t limit, std::optional<NodeTypeId> type) const {
  if (limit == 0) return {};
  const std::string lower = Lower(text);
  NearMissSearch search(lower, limit);
  for (size_t tier = 0; tier < tiers_.size(); ++tier) {
    const std::vector<NodeRecord>& nodes = tiers_[tier]->block->nodes;
    tiers_[tier]->index.OfferSimilar(
        lower,
        [&](uint32_t row) {
          return IsCurrent(tier, row) && (!type || nodes[row].type == *type);
        },
        search);
  }
  return search.Best();
}

// The nodes of both tiers, as `after` has them where it has them.
NodeNames::TierPointer NodeNames::Joined(const Tier& before,
                                         const Tier& after) {
  std::vector<NodeId> ids;
  std::set_union(before.ids.begin(), before.ids.end(), after.ids.begin(),
                 after.ids.end(), std::back_inserter(ids));
  auto block = std::make_shared<NodeBlock>();
  size_t old_row = 0, new_row = 0;
  for (const NodeId node : ids) {
    const bool is_new =
        new_row < after.ids.size() && after.ids[new_row] == node;
    const bool is_old =
        old_row < before.ids.size() && before.ids[old_row] == node;
    const NodeBlock& from = is_new ? *after.block : *before.block;
    const size_t row = is_new ? new_row : old_row;
    block->nodes.push_back(from.nodes[row]);
    block->removed.push_back(from.IsRemoved(row));
    new_row += is_new;
    old_row += is_old;
  }
  return std::make_shared<Tier>(std::move(ids), std::move(block));
}

NodeNames NodeNames::With(std::span<const NodeId> nodes,
                          std::shared_ptr<const NodeBlock> block) const {
  NodeNames changed = *this;
  if (nodes.empty()) return changed;
  TierPointer tier = std::make_shared<Tier>(
      std::vector<NodeId>(nodes.begin(), nodes.end()), std::move(block));
  while (changed.tiers_.size() > 1 &&
         2 * tier->ids.size() >= changed.tiers_.back()->ids.size()) {
    tier = Joined(*changed.tiers_.back(), *tier);
    changed.tiers_.pop_back();
  }
  changed.tiers_.push_back(std::move(tier));
  return changed;
}

}  // namespace slice
