#include "graphstore/split/link_split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/command/exit_status.h"
#include "common/did_you_mean.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "graphstore/name_resolver.h"

namespace slice {
namespace {

using Parts = std::vector<SplitPart>;

size_t ShareOf(double share, size_t count) {
  return std::max<size_t>(1, std::llround(share * double(count)));
}

std::vector<uint64_t> KeyHashes(const SplitInput& input, uint64_t seed) {
  std::vector<uint64_t> hashes;
  hashes.reserve(input.keys.size());
  for (const std::string& key : input.keys)
    hashes.push_back(CombineHash(seed, HashBytes(key)));
  return hashes;
}

absl::Status TooFew(const SplitInput& input, const char* what, size_t count) {
  return absl::FailedPreconditionError(absl::StrCat(
      "the ", input.links.size(),
      " different links are too few to split: ", what, " ", count,
      "; train, valid and test need one each at least; give more links, or "
      "another rule to split by"));
}

// How many links or sources go to test and to valid.
struct HeldOutCounts {
  size_t test = 0, valid = 0;
};

// The links that may be held out, by position: not those of options.learned.
std::vector<bool> FreeLinks(const SplitInput& input,
                            const SplitOptions& options) {
  std::vector<bool> free(input.links.size(), true);
  if (options.learned == nullptr) return free;
  for (size_t i = 0; i < free.size(); ++i) {
    const Link& link = input.links[i];
    const auto learned =
        FindLinkByKeys(*options.learned, input.relations[link.relation],
                       input.keys[link.source], input.keys[link.target]);
    free[i] = !learned || !options.learned->HasLink(*learned);
  }
  return free;
}

// The shares of `available` links or sources, `what`.
absl::StatusOr<HeldOutCounts> CountHeldOut(const SplitOptions& options,
                                           size_t available, const char* what) {
  if (options.learned != nullptr && available < 2) {
    return WithExitStatus(
        absl::FailedPreconditionError(absl::StrFormat(
            "the number of %s that are new to the older bundle is %d, and "
            "valid and test need one each: its train links cannot be held out. "
            "Wait for more links, or train without --warm-start and --new-to",
            what, available)),
        kExitTooFewLinks);
  }
  return HeldOutCounts{ShareOf(options.test_share, available),
                       ShareOf(options.valid_share, available)};
}

// A pair of nodes, or a source, with its links.
struct Unit {
  uint64_t hash = 0;
  std::pair<NodeId, NodeId> nodes;
  std::vector<uint32_t> links;

  bool operator<(const Unit& other) const {
    return std::pair(hash, nodes) < std::pair(other.hash, other.nodes);
  }
};

// The pairs of nodes that have links, in the order of their hashes.
std::vector<Unit> Pairs(const SplitInput& input, uint64_t seed) {
  const std::vector<uint64_t> hashes = KeyHashes(input, seed);
  std::vector<std::pair<std::pair<NodeId, NodeId>, uint32_t>> all;
  all.reserve(input.links.size());
  for (uint32_t i = 0; i < input.links.size(); ++i) {
    const Link& link = input.links[i];
    all.push_back({std::minmax({link.source, link.target}), i});
  }
  std::sort(all.begin(), all.end());
  std::vector<Unit> units;
  for (const auto& [nodes, link] : all) {
    if (units.empty() || units.back().nodes != nodes) {
      const auto [low, high] =
          std::minmax({hashes[nodes.first], hashes[nodes.second]});
      units.push_back({CombineHash(low, high), nodes, {}});
    }
    units.back().links.push_back(link);
  }
  std::sort(units.begin(), units.end());
  return units;
}

// Puts the units whose links all may be held out first, and returns their
// number.
size_t FreeUnitsFirst(const std::vector<bool>& free, std::vector<Unit>* units) {
  const auto is_free = [&](const Unit& unit) {
    return std::all_of(unit.links.begin(), unit.links.end(),
                       [&](uint32_t link) { return free[link]; });
  };
  return static_cast<size_t>(
      std::stable_partition(units->begin(), units->end(), is_free) -
      units->begin());
}

// Puts links of relations that train lacks back into it, pair by pair from the
// last one.
void KeepRelationsInTrain(const SplitInput& input,
                          const std::vector<Unit>& units, Parts* parts) {
  std::vector<bool> in_train(input.relations.size(), false);
  const auto mark = [&](const Unit& unit) {
    for (const uint32_t link : unit.links)
      in_train[input.links[link].relation] = true;
  };
  for (const Unit& unit : units) {
    if ((*parts)[unit.links[0]] == SplitPart::kTrain) mark(unit);
  }
  for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
    const bool needed = std::any_of(
        unit->links.begin(), unit->links.end(),
        [&](uint32_t link) { return !in_train[input.links[link].relation]; });
    if (!needed) continue;
    for (const uint32_t link : unit->links) (*parts)[link] = SplitPart::kTrain;
    mark(*unit);
  }
}

absl::StatusOr<Parts> SplitAtRandom(const SplitInput& input,
                                    const SplitOptions& options) {
  std::vector<Unit> units = Pairs(input, options.seed);
  if (units.size() < 3) return TooFew(input, "pairs of nodes:", units.size());
  const size_t links = input.links.size();
  const size_t free = FreeUnitsFirst(FreeLinks(input, options), &units);
  size_t available = 0;
  for (size_t i = 0; i < free; ++i) available += units[i].links.size();
  SLICE_ASSIGN_OR_RETURN(const HeldOutCounts counts,
                         CountHeldOut(options, available, "links"));
  Parts parts(links, SplitPart::kTrain);
  size_t next = 0;
  for (const auto& [part, wanted] :
       {std::pair(SplitPart::kTest, counts.test),
        std::pair(SplitPart::kValid, counts.valid)}) {
    for (size_t taken = 0;
         taken < wanted && next < free && next + 1 < units.size(); ++next) {
      for (const uint32_t link : units[next].links) parts[link] = part;
      taken += units[next].links.size();
    }
  }
  KeepRelationsInTrain(input, units, &parts);
  return parts;
}

// The place nearest to `wanted` in (0, end) where the order changes.
std::optional<size_t> CutNear(std::span<const double> order, size_t wanted,
                              size_t end) {
  const auto is_cut = [&](size_t i) {
    return i > 0 && i < end && order[i - 1] < order[i];
  };
  for (size_t far = 0; far <= end; ++far) {
    if (wanted >= far && is_cut(wanted - far)) return wanted - far;
    if (is_cut(wanted + far)) return wanted + far;
  }
  return std::nullopt;
}

absl::StatusOr<Parts> SplitByOrder(const SplitInput& input,
                                   const SplitOptions& options) {
  const std::vector<bool> free = FreeLinks(input, options);
  std::vector<double> order;  // of the links that may be held out
  for (size_t i = 0; i < free.size(); ++i) {
    if (free[i]) order.push_back(input.first_seen[i]);
  }
  std::sort(order.begin(), order.end());
  const size_t links = order.size();
  SLICE_ASSIGN_OR_RETURN(const HeldOutCounts counts,
                         CountHeldOut(options, links, "links"));
  const auto test_cut =
      CutNear(order, links - std::min(counts.test, links), links);
  const auto valid_cut =
      test_cut ? CutNear(order, *test_cut - std::min(counts.valid, *test_cut),
                         *test_cut)
               : std::nullopt;
  if (!valid_cut) {
    const size_t different =
        std::unique(order.begin(), order.end()) - order.begin();
    return TooFew(input, "different times:", different);
  }
  Parts parts(free.size(), SplitPart::kTrain);
  for (size_t i = 0; i < free.size(); ++i) {
    if (!free[i]) continue;
    if (input.first_seen[i] >= order[*test_cut]) {
      parts[i] = SplitPart::kTest;
    } else if (input.first_seen[i] >= order[*valid_cut]) {
      parts[i] = SplitPart::kValid;
    }
  }
  return parts;
}

absl::StatusOr<Parts> SplitByNodes(const SplitInput& input,
                                   const SplitOptions& options) {
  std::optional<RelationId> only;
  if (!options.relation.empty()) {
    const auto found = std::find(input.relations.begin(), input.relations.end(),
                                 options.relation);
    if (found == input.relations.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the file has no relation ", Quoted(options.relation),
                       Alternatives(options.relation, input.relations)));
    }
    only = static_cast<RelationId>(found - input.relations.begin());
  }
  const std::vector<uint64_t> hashes = KeyHashes(input, options.seed);
  std::vector<Unit> units;  // of sources; the links are ordered by source
  for (uint32_t i = 0; i < input.links.size(); ++i) {
    const Link& link = input.links[i];
    if (only && link.relation != *only) continue;
    if (units.empty() || units.back().nodes.first != link.source)
      units.push_back({hashes[link.source], {link.source, 0}, {}});
    units.back().links.push_back(i);
  }
  if (units.size() < 3) return TooFew(input, "sources:", units.size());
  std::sort(units.begin(), units.end());
  Parts parts(input.links.size(), SplitPart::kTrain);
  const size_t free = FreeUnitsFirst(FreeLinks(input, options), &units);
  SLICE_ASSIGN_OR_RETURN(const HeldOutCounts counts,
                         CountHeldOut(options, free, "sources"));
  const size_t held_out =
      std::min(counts.test + counts.valid, units.size() - 1);
  for (size_t i = 0; i < held_out; ++i) {
    for (const uint32_t link : units[i].links)
      parts[link] = i < counts.test ? SplitPart::kTest : SplitPart::kValid;
  }
  return parts;
}

// Leaves out held-out links of relations that train lacks.
void LeaveOutUnlearnable(const SplitInput& input, Parts* parts) {
  std::vector<bool> in_train(input.relations.size(), false);
  for (size_t i = 0; i < parts->size(); ++i) {
    if ((*parts)[i] == SplitPart::kTrain)
      in_train[input.links[i].relation] = true;
  }
  for (size_t i = 0; i < parts->size(); ++i) {
    if (!in_train[input.links[i].relation]) (*parts)[i] = SplitPart::kNone;
  }
}

}  // namespace

absl::StatusOr<std::vector<SplitPart>> SplitLinks(const SplitInput& input,
                                                  const SplitOptions& options) {
  absl::StatusOr<Parts> parts =
      options.rule == SplitRule::kRandom  ? SplitAtRandom(input, options)
      : options.rule == SplitRule::kNodes ? SplitByNodes(input, options)
                                          : SplitByOrder(input, options);
  if (!parts.ok()) return parts;
  LeaveOutUnlearnable(input, &*parts);
  for (const SplitPart part :
       {SplitPart::kTrain, SplitPart::kValid, SplitPart::kTest}) {
    if (std::find(parts->begin(), parts->end(), part) != parts->end()) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "the ", input.links.size(), " different links of ",
        input.relations.size(),
        " relations are too few to split: a relation needs a link in train to "
        "be held out, and train, valid and test need a link each; give more "
        "links, or another rule to split by"));
  }
  return parts;
}

}  // namespace slice
