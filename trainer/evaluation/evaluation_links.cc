// MakeEvaluationLinks first copies the rows of the file, then makes the
// negatives of one set after the other. Each draw has a random number generator
// of its own, seeded by the set and the row. So a negative does not change when
// rows are added or reordered, and runs with different training seeds are
// compared on the same links. A draw that hits a true link is dropped and
// counted.
#include "trainer/evaluation/evaluation_links.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "common/status_macros.h"

namespace slice {
namespace {

NegativeKind KindOf(NegativeSet set) {
  return set == NegativeSet::kDegreeMatched ? NegativeKind::kDegreeMatched
                                            : NegativeKind::kTypeMatched;
}

uint64_t SeedOf(uint64_t seed, NegativeSet set, const Link& link) {
  uint64_t hash = CombineHash(seed, static_cast<uint64_t>(set));
  hash = CombineHash(hash, link.source);
  hash = CombineHash(hash, link.relation);
  return CombineHash(hash, link.target);
}

}  // namespace

absl::Status CheckBothLabels(std::span<const LabelledLink> rows,
                             const std::filesystem::path& file) {
  const auto positives = static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(),
                    [](const LabelledLink& row) { return row.positive; }));
  if (positives > 0 && positives < rows.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      file.string(), " has ", positives, " links labelled 1 and ",
      rows.size() - positives,
      " labelled 0; to measure anything, it needs rows of both labels. Add "
      "pairs without a link, labelled 0, or give all links to fit --links, "
      "which draws such pairs"));
}

std::string_view NegativeSetKey(NegativeSet set) {
  static constexpr std::string_view kKeys[] = {
      "published", "typed", "degree_matched", "typed_non_links"};
  static_assert(std::size(kKeys) == kNegativeSets);
  return kKeys[static_cast<size_t>(set)];
}

std::string_view NegativeSetTitle(NegativeSet set) {
  static constexpr std::string_view kTitles[] = {
      "Non-links of the file", "Type-matched negatives",
      "Degree-matched negatives", "Non-links of the file, typed"};
  static_assert(std::size(kTitles) == kNegativeSets);
  return kTitles[static_cast<size_t>(set)];
}

KnownLinks::KnownLinks(
    std::span<const std::span<const LabelledLink>> held_out) {
  for (const std::span<const LabelledLink> rows : held_out) {
    for (const LabelledLink& row : rows) {
      if (row.positive) links_.push_back(row.link);
    }
  }
  std::sort(links_.begin(), links_.end());
  for (const Link& link : links_) {
    turned_.push_back({link.target, link.relation, link.source});
  }
  std::sort(turned_.begin(), turned_.end());
}

std::vector<NodeId> KnownLinks::AnswersTo(const EndQuestion& question) const {
  const auto& links = question.direction == Direction::kOut ? links_ : turned_;
  std::vector<NodeId> answers;
  for (auto at = std::lower_bound(links.begin(), links.end(),
                                  Link{question.anchor, question.relation, 0});
       at != links.end() && at->source == question.anchor &&
       at->relation == question.relation;
       ++at) {
    if (answers.empty() || answers.back() != at->target) {
      answers.push_back(at->target);
    }
  }
  return answers;
}

bool KnownLinks::Contains(const Link& link) const {
  return std::binary_search(links_.begin(), links_.end(), link);
}

std::vector<uint32_t> EvaluationLinks::PositionsOf(NegativeSet set) const {
  const bool as_published = set == NegativeSet::kPublished;
  std::vector<uint32_t> positions;
  for (uint32_t i = 0; i < published; ++i) {
    if (as_published || labels[i]) positions.push_back(i);
  }
  const auto index = static_cast<size_t>(set);
  for (uint32_t i = begin[index]; i < begin[index + 1]; ++i) {
    positions.push_back(i);
  }
  return positions;
}

absl::StatusOr<EvaluationLinks> MakeEvaluationLinks(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> rows,
    const KnownLinks& known, uint64_t seed, std::span<const NegativeSet> sets) {
  SLICE_ASSIGN_OR_RETURN(const auto sampler,
                         NegativeSampler::Create(snapshot, NegativeMix()));
  EvaluationLinks made;
  const auto add = [&](const Link& link, bool positive, const Link& from) {
    made.links.push_back(link);
    made.labels.push_back(positive ? 1 : 0);
    made.made_from.push_back(from);
  };
  for (const auto& [link, positive] : rows) add(link, positive, link);
  made.published = static_cast<uint32_t>(rows.size());
  made.begin[0] = made.begin[1] = made.published;
  for (const NegativeSet set :
       {NegativeSet::kTyped, NegativeSet::kDegreeMatched,
        NegativeSet::kTypedNonLinks}) {
    const bool of_positives = set != NegativeSet::kTypedNonLinks;
    const auto index = static_cast<size_t>(set);
    const bool wanted = std::find(sets.begin(), sets.end(), set) != sets.end();
    for (const auto& [link, positive] : rows) {
      if (!wanted || positive != of_positives) continue;
      Random random(SeedOf(seed, set, link));
      const auto drawn = sampler->Draw(KindOf(set), link, random);
      if (drawn.has_value() && !known.Contains(drawn->link) &&
          drawn->link != link) {
        add(drawn->link, false, link);
      } else {
        ++made.dropped[index];
      }
    }
    made.begin[index + 1] = static_cast<uint32_t>(made.size());
  }
  return made;
}

}  // namespace slice
