// The items are found once, at construction. Without() and Only() then change a
// copy of the encoded link, part by part:
//   path tokens     the context is assembled anew from the types that stay; a
//                   type that did not fit into the context before may take the
//                   place of one that is gone
//   path features   come from a PathLedger, which sums what stays
//   other features  the scaled value 0 is the mean over the training examples
//   end tokens      EvidenceTables::ends
//   knowledge       its logits, which are added to those of the scorer, are 0
// A context of nodes has no path tokens. There a node is taken away by hiding
// its links, and the whole link is encoded again.
#include "context/link_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "context/path_context.h"

namespace slice {
namespace {

constexpr size_t kEnds = 2;  // the first tokens of a context
constexpr int kMostLinks = 3;

constexpr FeatureGroup kPathGroups[kMostLinks + 1] = {
    FeatureGroup::kOther, FeatureGroup::kDirectLinks, FeatureGroup::kTwoPaths,
    FeatureGroup::kThreePaths};

}  // namespace

LinkEvidence::LinkEvidence(const LinkEncoder& encoder,
                           const EvidenceTables& tables, const GraphView& view,
                           const EncodedLink& whole, ScorerReads reads)
    : encoder_(encoder),
      tables_(tables),
      view_(view),
      whole_(whole),
      reads_(reads),
      path_tokens_(encoder.options().context.strategy ==
                   ContextStrategy::kTypedPaths) {
  if (path_tokens_) {
    FindPathItems();
  } else {
    FindNodeItems();
  }
  FindFeatureItems();
  const bool has_knowledge =
      std::any_of(whole.knowledge_logits.begin(), whole.knowledge_logits.end(),
                  [](float logit) { return logit != 0; });
  if (!whole.contexts.empty() || has_knowledge) {
    items_.push_back({.kind = EvidenceKind::kEnds});
  }
}

size_t LinkEvidence::MostItems(int max_nodes) {
  return static_cast<size_t>(std::max(0, max_nodes)) + kMostLinks +
         kFeatureGroups + 1;
}

// The types that take the place of others in a context. Without path tokens
// only the shortest path counts, and the ledger knows it.
void LinkEvidence::FindTypes() {
  if (reads_ != ScorerReads::kContexts && !whole_.pair_features.empty()) return;
  thread_local TypedPathSearch search;  // its scratch memory is reused
  TypedPathLimits limits;
  // When all types of a context are left out, as many others take their place.
  limits.types = 2 * static_cast<size_t>(encoder_.options().context.max_nodes);
  types_ = search.Find(view_, whole_.link, limits);
  truncated_ = search.truncated();
}

void LinkEvidence::FindPathItems() {
  if (whole_.contexts.empty()) return;
  FindTypes();
  const ContextSubgraph& context = whole_.contexts[0];
  std::vector<PathType> tracked;
  for (size_t i = kEnds; i < context.tokens.size(); ++i) {
    tracked.push_back(context.tokens[i].relations);
  }
  if (!whole_.pair_features.empty()) {
    const PairFeatureOptions options;
    const std::optional<PathRules>& rules = encoder_.tables().rules;
    ledger_.emplace(view_, whole_.link,
                    PathFanOut{static_cast<size_t>(options.common_fan_out),
                               static_cast<size_t>(options.path_fan_out),
                               static_cast<size_t>(options.path_fan_in)},
                    tracked, rules ? &*rules : nullptr);
  }
  for (size_t i = kEnds; i < context.tokens.size(); ++i) {
    const PathType& type = tracked[i - kEnds];
    items_.push_back({EvidenceKind::kPaths, kPathGroups[LengthOf(type)], i,
                      type, LengthOf(type)});
  }
  for (int length = 1; length <= kMostLinks; ++length) {
    size_t types = ledger_ ? ledger_->types(length) : 0;
    types = std::max<size_t>(
        types, std::count_if(types_.begin(), types_.end(), [&](const auto& t) {
          return t.length == length;
        }));
    const bool shown = std::any_of(
        tracked.begin(), tracked.end(),
        [&](const PathType& type) { return LengthOf(type) == length; });
    if ((types == 1 && shown) ||
        (types == 0 && IsNeutral(kPathGroups[length]))) {
      continue;
    }
    items_.push_back(
        {types == 0 ? EvidenceKind::kNoPaths : EvidenceKind::kAllPaths,
         kPathGroups[length],
         0,
         {},
         length});
  }
}

void LinkEvidence::FindNodeItems() {
  if (whole_.contexts.empty()) return;
  const std::vector<ContextToken>& tokens = whole_.contexts[0].tokens;
  for (size_t i = kEnds; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::kNode) continue;
    items_.push_back({.kind = EvidenceKind::kNode, .token = i});
  }
}

bool LinkEvidence::IsNeutral(FeatureGroup group) const {
  for (size_t i = 0; i < whole_.pair_features.size(); ++i) {
    if (tables_.groups[i] == group && whole_.pair_features[i] != 0) {
      return false;
    }
  }
  return true;
}

// The groups of paths are items of their own in contexts of paths.
void LinkEvidence::FindFeatureItems() {
  for (int g = 0; g < kFeatureGroups; ++g) {
    const auto group = static_cast<FeatureGroup>(g);
    const bool of_paths = group == FeatureGroup::kTwoPaths ||
                          group == FeatureGroup::kThreePaths ||
                          group == FeatureGroup::kDirectLinks;
    if (of_paths && path_tokens_ && !whole_.contexts.empty()) continue;
    if (IsNeutral(group)) continue;
    items_.push_back({.kind = EvidenceKind::kFeatures, .group = group});
  }
}

// The whole link, without the tokens that the scorer does not read.
EncodedLink LinkEvidence::Start() const {
  if (reads_ == ScorerReads::kContexts || !path_tokens_) return whole_;
  EncodedLink link;
  link.link = whole_.link;
  link.has_embeddings = whole_.has_embeddings;
  link.flags = whole_.flags;
  link.pair_features = whole_.pair_features;
  link.knowledge_logits = whole_.knowledge_logits;
  if (reads_ == ScorerReads::kPairFeatures) return link;
  link.unknown_nodes = whole_.unknown_nodes;
  for (const ContextSubgraph& context : whole_.contexts) {
    ContextSubgraph& ends = link.contexts.emplace_back();
    ends.link = context.link;
    ends.distance = context.distance;
    ends.truncated = context.truncated;
    ends.tokens.assign(context.tokens.begin(), context.tokens.begin() + kEnds);
  }
  return link;
}

// The links of the shortest path that stays; 0 when none does.
int LinkEvidence::Shortest(const PathFilter& filter) const {
  int shortest = ledger_->Shortest(filter);
  // The ledger may have sampled other nodes than the context.
  for (const Evidence& item : items_) {
    if (item.kind == EvidenceKind::kPaths && filter.Keeps(item.type) &&
        (shortest == 0 || item.length < shortest)) {
      shortest = item.length;
    }
  }
  return shortest;
}

// Tells the end tokens the length of the shortest path that stays, unless it is
// that of the whole link. There the tokens say how long the shortest path of
// the context is, which need not hold the shortest of all.
void LinkEvidence::SetShortest(const PathFilter& filter,
                               EncodedLink& link) const {
  int shortest = Shortest(filter);
  if (shortest == Shortest(PathFilter())) return;
  if (shortest == 0) shortest = -1;
  if (link.link.source == link.link.target) shortest = 0;
  for (ContextSubgraph& context : link.contexts) SetDistance(shortest, context);
}

void LinkEvidence::CutContexts(const PathFilter& filter,
                               EncodedLink& link) const {
  if (reads_ == ScorerReads::kPairFeatures) return;
  if (reads_ == ScorerReads::kEnds && ledger_) {
    SetShortest(filter, link);
    return;
  }
  std::vector<TypedPath> kept;
  const auto most = static_cast<size_t>(encoder_.options().context.max_nodes);
  for (const TypedPath& path : types_) {
    if (filter.Keeps(path.relations) && kept.size() < most) {
      kept.push_back(path);
    }
  }
  ContextSubgraph context;
  AssemblePathContext(view_, link.link, kept, truncated_, context);
  for (size_t end = 0; end < kEnds; ++end) {
    const auto& had = whole_.contexts[0].tokens[end].features;
    auto& has = context.tokens[end].features;
    std::copy(had.begin() + kFirstProfile, had.end(),
              has.begin() + kFirstProfile);
  }
  if (reads_ == ScorerReads::kEnds) context.tokens.resize(kEnds);
  std::fill(link.contexts.begin(), link.contexts.end(), context);
}

void LinkEvidence::SumPaths(const PathFilter& filter, EncodedLink& link) const {
  if (!ledger_) return;
  const EncoderTables& tables = encoder_.tables();
  const LedgerSums sums = ledger_->Sum(filter);
  const PairFeatures& features = encoder_.pair_features();
  const auto write = [&](size_t begin, std::span<const float> values) {
    const std::span<float> place(link.pair_features.data() + begin,
                                 values.size());
    std::copy(values.begin(), values.end(), place.begin());
    if (tables.scaling) tables.scaling->Apply(place, begin);
  };
  std::array<float, PairFeatures::kPathFeatures> paths;
  PairFeatures::ComputePaths(sums.paths, ledger_->source_degree(),
                             ledger_->target_degree(), paths);
  write(features.path_features_begin(), paths);
  const std::array<float, 3> direct = {
      std::log1p(static_cast<float>(sums.forward)),
      std::log1p(static_cast<float>(sums.backward)),
      std::log1p(static_cast<float>(sums.backward_alike))};
  write(features.path_features_begin() + PairFeatures::kPathFeatures, direct);
  std::array<float, RuleEvidence::kFeatures> rules;
  sums.paths.rules.Write(rules);
  write(features.rule_features_begin(), rules);
}

bool LinkEvidence::IsUnreachable() const {
  return !whole_.contexts.empty() &&
         whole_.contexts[0].tokens[0].features[kUnreachable] > 0;
}

void LinkEvidence::SetEndFeature(size_t feature, EncodedLink& link) const {
  for (ContextSubgraph& context : link.contexts) {
    for (size_t end = 0; end < kEnds; ++end) {
      context.tokens[end].features[feature] = tables_.ends[end][feature];
    }
  }
}

void LinkEvidence::RestoreEndFeature(size_t feature, EncodedLink& link) const {
  for (size_t i = 0; i < link.contexts.size(); ++i) {
    for (size_t end = 0; end < kEnds; ++end) {
      link.contexts[i].tokens[end].features[feature] =
          whole_.contexts[i].tokens[end].features[feature];
    }
  }
}

void LinkEvidence::SetNeutral(FeatureGroup group, EncodedLink& link) const {
  for (size_t i = 0; i < link.pair_features.size(); ++i) {
    if (tables_.groups[i] == group) link.pair_features[i] = 0;
  }
  if (group == FeatureGroup::kDegrees) SetEndFeature(kLogDegree, link);
  if (group == FeatureGroup::kSlots) SetEndFeature(kSlotDegree, link);
}

// The inverse of SetNeutral().
void LinkEvidence::Restore(FeatureGroup group, EncodedLink& link) const {
  for (size_t i = 0; i < link.pair_features.size(); ++i) {
    if (tables_.groups[i] != group) continue;
    link.pair_features[i] = whole_.pair_features[i];
  }
  if (group == FeatureGroup::kDegrees) RestoreEndFeature(kLogDegree, link);
  if (group == FeatureGroup::kSlots) RestoreEndFeature(kSlotDegree, link);
}

void LinkEvidence::ForgetEnds(EncodedLink& link) const {
  link.has_embeddings = false;
  link.knowledge_logits = {};
  for (size_t i = kFirstProfile; i < kTokenFeatureCount; ++i) {
    SetEndFeature(i, link);
  }
}

void LinkEvidence::RestoreEnds(EncodedLink& link) const {
  for (size_t i = kFirstProfile; i < kTokenFeatureCount; ++i) {
    RestoreEndFeature(i, link);
  }
}

EncodedLink LinkEvidence::WithoutNodes(std::span<const size_t> removed) const {
  if (whole_.contexts.empty()) return whole_;
  GraphView view = view_;
  const std::vector<ContextToken>& tokens = whole_.contexts[0].tokens;
  bool any = false;
  for (const size_t item : removed) {
    if (items_[item].kind != EvidenceKind::kNode) continue;
    any = true;
    const NodeId node = tokens[items_[item].token].node;
    for (const ContextToken& other : tokens) {
      if (other.node != kNoNode && other.node != node) {
        view.HidePair(node, other.node);
      }
    }
  }
  return any ? encoder_.Encode(view, whole_.link) : whole_;
}

EncodedLink LinkEvidence::Without(std::span<const size_t> removed) const {
  EncodedLink link = path_tokens_ ? Start() : WithoutNodes(removed);
  if (HoldsPaths(items_, removed)) {
    const PathFilter filter = FilterOf(items_, removed, false);
    CutContexts(filter, link);
    SumPaths(filter, link);
  }
  for (const size_t item : removed) {
    const Evidence& gone = items_[item];
    if (gone.kind == EvidenceKind::kNoPaths ||
        gone.kind == EvidenceKind::kFeatures) {
      SetNeutral(gone.group, link);
    }
    if (gone.kind == EvidenceKind::kEnds) ForgetEnds(link);
    // An end that other paths reach does not say that there are none.
    if (gone.kind == EvidenceKind::kNoPaths && IsUnreachable()) {
      SetEndFeature(kUnreachable, link);
    }
  }
  return link;
}

// Hiding the other nodes changes what the features that stay are computed from.
EncodedLink LinkEvidence::OnlyWithNodes(std::span<const size_t> kept,
                                        std::span<const size_t> others) const {
  EncodedLink link = Without(others);
  for (const size_t item : kept) {
    const Evidence& stays = items_[item];
    if (stays.kind == EvidenceKind::kFeatures) Restore(stays.group, link);
    if (stays.kind == EvidenceKind::kEnds) RestoreEnds(link);
  }
  return link;
}

EncodedLink LinkEvidence::Only(std::span<const size_t> kept) const {
  std::vector<size_t> others;
  for (size_t item = 0; item < items_.size(); ++item) {
    if (std::find(kept.begin(), kept.end(), item) == kept.end()) {
      others.push_back(item);
    }
  }
  if (!path_tokens_ || whole_.contexts.empty()) {
    return OnlyWithNodes(kept, others);
  }
  EncodedLink link = Start();
  const PathFilter filter = FilterOf(items_, kept, true);
  CutContexts(filter, link);
  if (HoldsPaths(items_, kept)) SumPaths(filter, link);
  if (!HoldsPaths(items_, kept) &&
      !Holds(items_, kept, EvidenceKind::kNoPaths)) {
    SetEndFeature(kUnreachable, link);
  }
  for (int length = 1; length <= kMostLinks; ++length) {
    if (!HoldsPaths(items_, kept, length) &&
        !Holds(items_, kept, EvidenceKind::kNoPaths, kPathGroups[length])) {
      SetNeutral(kPathGroups[length], link);
    }
  }
  for (int g = 0; g < kFeatureGroups; ++g) {
    const auto group = static_cast<FeatureGroup>(g);
    const bool of_paths =
        std::find(std::begin(kPathGroups) + 1, std::end(kPathGroups), group) !=
        std::end(kPathGroups);
    if (of_paths || Holds(items_, kept, EvidenceKind::kFeatures, group))
      continue;
    if (group == FeatureGroup::kRules && HoldsPaths(items_, kept)) continue;
    SetNeutral(group, link);
  }
  if (Holds(items_, kept, EvidenceKind::kFeatures, FeatureGroup::kRules)) {
    Restore(FeatureGroup::kRules, link);
  }
  if (!Holds(items_, kept, EvidenceKind::kEnds)) ForgetEnds(link);
  return link;
}

}  // namespace slice
