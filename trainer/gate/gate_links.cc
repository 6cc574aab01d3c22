// The rows of the file are read as text, looked up in both graphs, and sorted
// into those to compare on and those to leave out. Where non-links are missing,
// they are drawn in the current graph; a draw that the candidate cannot name,
// or that is a link anywhere, is drawn again.
#include "trainer/gate/gate_links.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "common/table/line_reader.h"
#include "common/table/link_rows.h"
#include "graphstore/name_resolver.h"
#include "graphstore/split/split_negatives.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/learning/negative_sampler.h"

namespace slice {
namespace {

constexpr int kDraws = 50;  // of one non-link

std::optional<Link> FindLink(const GraphSnapshot& graph, const NamedLink& row) {
  return FindLinkByKeys(graph, row.relation, row.source, row.target);
}

// Sorts rows into GateLinks.
class RowSorter {
 public:
  explicit RowSorter(const SharedNames& names) : names_(names) {}

  void Add(const NamedLink& row) {
    const auto current = FindLink(names_.current(), row);
    const auto candidate = FindLink(names_.candidate(), row);
    if (!IsNew(row, current, candidate)) return;
    ++chosen_.rows;
    if (!current) {
      ++(candidate ? chosen_.only_candidate : chosen_.unknown);
    } else if (names_.IsLearned(*current)) {
      ++chosen_.in_current;
    } else if (candidate && names_.candidate().HasLink(*candidate)) {
      ++chosen_.in_candidate;
    } else if (!candidate) {
      ++chosen_.only_current;
      // That the candidate says nothing about a non-link is no wrong answer.
      if (row.positive) Keep(*current, candidate, true);
    } else {
      Keep(*current, candidate, row.positive);
    }
  }

  GateLinks Take() { return std::move(chosen_); }

 private:
  void Keep(const Link& current, const std::optional<Link>& candidate,
            bool positive) {
    const auto position = static_cast<uint32_t>(chosen_.links.size());
    chosen_.links.push_back({current, candidate, position, positive});
  }

  // Whether this row was not seen before.
  bool IsNew(const NamedLink& row, const std::optional<Link>& current,
             const std::optional<Link>& candidate) {
    if (current) return by_current_.insert(*current).second;
    if (candidate) return by_candidate_.insert(*candidate).second;
    return by_name_
        .insert(absl::StrCat(row.relation, "\t", row.source, "\t", row.target))
        .second;
  }

  const SharedNames& names_;
  GateLinks chosen_;
  std::set<Link> by_current_, by_candidate_;
  std::set<std::string> by_name_;
};

// Draws non-links that both bundles can name.
class NonLinkDrawer {
 public:
  NonLinkDrawer(const SharedNames& names, const NegativeSampler& sampler,
                std::span<const Link> positives, uint64_t seed)
      : names_(names),
        sampler_(sampler),
        taken_(positives.begin(), positives.end()),
        seed_(seed) {}

  std::optional<GateLink> Draw(const Link& positive, uint32_t position) {
    Random random(CombineHash(seed_, SampleHash(positive)));
    for (int draw = 0; draw < kDraws; ++draw) {
      const Link link = sampler_.Sample(positive, random).link;
      const auto candidate = names_.InCandidate(link);
      if (!candidate || names_.EitherHas(link)) continue;
      if (!taken_.insert(link).second) continue;
      return GateLink{link, candidate, position, false};
    }
    return std::nullopt;
  }

 private:
  const SharedNames& names_;
  const NegativeSampler& sampler_;
  std::set<Link> taken_;
  const uint64_t seed_;
};

// The mix of the non-links that a split draws.
NegativeMix SplitMix() {
  NegativeMix mix;
  mix.uniform = kBothEndsShare;
  mix.source_kept = kTargetShare;
  mix.type_matched = kInSlotShare;
  return mix;
}

}  // namespace

absl::StatusOr<std::vector<NamedLink>> ReadNamedLinks(
    const AskedLinkFile& file) {
  SLICE_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(file.path));
  SLICE_ASSIGN_OR_RETURN(const LinkShapeOptions written, file.ShapeOptions());
  SLICE_ASSIGN_OR_RETURN(LinkShape shape,
                         RecogniseLinks(file.path, written, &lines));
  LinkRowParser parser(std::move(shape));
  std::vector<NamedLink> rows;
  while (const auto line = lines.Next()) {
    LinkRow row;
    if (const auto error = parser.Parse(*line, &row)) {
      return absl::InvalidArgumentError(
          DescribeLineError(file.path, *line, *error));
    }
    rows.push_back({std::string(row.relation.text),
                    std::string(row.source.text), std::string(row.target.text),
                    row.positive});
  }
  SLICE_RETURN_IF_ERROR(lines.status());
  if (rows.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(file.path, " has no link to compare the bundles on"));
  }
  return rows;
}

SharedNames::SharedNames(const GraphSnapshot& current,
                         const GraphSnapshot& candidate,
                         const GraphSnapshot& learned)
    : current_(current), candidate_(candidate), learned_(learned) {
  nodes_.reserve(current.node_count());
  for (NodeId node = 0; node < current.node_count(); ++node) {
    nodes_.push_back(candidate.names().FindKey(current.Key(node)));
  }
  for (const std::string& relation : current.relations()) {
    relations_.push_back(candidate.FindRelation(relation));
  }
}

std::optional<NodeId> SharedNames::Node(NodeId current) const {
  return nodes_[current];
}

std::optional<Link> SharedNames::InCandidate(const Link& current) const {
  const auto source = nodes_[current.source];
  const auto target = nodes_[current.target];
  const auto relation = relations_[current.relation];
  if (!source || !target || !relation) return std::nullopt;
  return Link{*source, *relation, *target};
}

bool SharedNames::IsLearned(const Link& current) const {
  return std::max(current.source, current.target) < learned_.node_count() &&
         learned_.HasLink(current);
}

bool SharedNames::EitherHas(const Link& current) const {
  if (current_.HasLink(current) || IsLearned(current)) return true;
  const auto candidate = InCandidate(current);
  return candidate && candidate_.HasLink(*candidate);
}

std::vector<Link> GateLinks::Positives() const {
  std::vector<Link> positives;
  for (const GateLink& link : links) {
    if (link.positive) positives.push_back(link.current);
  }
  std::sort(positives.begin(), positives.end());
  return positives;
}

absl::StatusOr<GateLinks> ChooseGateLinks(const std::vector<NamedLink>& rows,
                                          const SharedNames& names,
                                          uint64_t seed) {
  RowSorter sorter(names);
  for (const NamedLink& row : rows) sorter.Add(row);
  GateLinks chosen = sorter.Take();
  const bool has_non_links =
      std::any_of(rows.begin(), rows.end(),
                  [](const NamedLink& row) { return !row.positive; });
  if (has_non_links) return chosen;
  SLICE_ASSIGN_OR_RETURN(const auto sampler,
                         NegativeSampler::Create(names.current(), SplitMix()));
  NonLinkDrawer drawer(names, *sampler, chosen.Positives(), seed);
  const auto positives = static_cast<uint32_t>(chosen.links.size());
  for (uint32_t i = 0; i < positives; ++i) {
    const auto drawn = drawer.Draw(chosen.links[i].current, i);
    if (!drawn) continue;
    chosen.links.push_back(*drawn);
    ++chosen.drawn;
  }
  return chosen;
}

}  // namespace slice
