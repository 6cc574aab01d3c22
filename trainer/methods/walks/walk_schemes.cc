// Common metapaths are found by length, the shortest first. A prefix is the
// beginning of a metapath; it holds for each node how many paths along it end
// at that node. Every label that can follow a prefix gives a metapath that is
// one step longer, with its number of paths, in one pass over the nodes. The
// kMostPrefixes most frequent of these metapaths are the prefixes of the next
// length.
//
// With node types as labels, a metapath begins with the type of its first node,
// so that it has one label more than steps. With relations, it has one label
// for each step. A metapath and its reverse describe the same cycle; only the
// smaller of the two is kept.
#include "trainer/methods/walks/walk_schemes.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/status_macros.h"

namespace slice {
namespace {

// How many prefixes are extended at each length, at most.
constexpr size_t kMostPrefixes = 128;
constexpr char kTypeSeparator[] = "-";
constexpr char kRelationSeparator[] = "/";

// The labels of a metapath without its reverse. With node types as labels:
// those of all its nodes. With relations: those of all its steps.
using Metapath = std::vector<uint32_t>;

WalkScheme MakeScheme(const Metapath& metapath, WalkLabels labels,
                      double paths) {
  WalkScheme scheme;
  scheme.paths = paths;
  if (labels == WalkLabels::kNodeTypes) {
    scheme.steps.assign(metapath.begin() + 1, metapath.end());
    scheme.steps.insert(scheme.steps.end(), metapath.rbegin() + 1,
                        metapath.rend());
  } else {
    scheme.steps = metapath;
    for (auto step = metapath.rbegin(); step != metapath.rend(); ++step) {
      scheme.steps.push_back(LabelledWalkGraph::Reversed(*step));
    }
  }
  return scheme;
}

// The same metapath, read from its other end.
Metapath Reversed(const Metapath& metapath, WalkLabels labels) {
  Metapath reversed(metapath.rbegin(), metapath.rend());
  if (labels == WalkLabels::kRelations) {
    for (uint32_t& step : reversed) step = LabelledWalkGraph::Reversed(step);
  }
  return reversed;
}

// The first steps of a metapath, and how many paths along them end at each
// node.
struct Prefix {
  Metapath metapath;
  double paths = 0;
  std::vector<double> ending_at;  // [nodes]
};

Prefix Extend(const LabelledWalkGraph& graph, const Prefix& from,
              uint32_t label) {
  Prefix next{from.metapath, 0, std::vector<double>(graph.node_count())};
  next.metapath.push_back(label);
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    const double paths = from.ending_at[node];
    if (paths == 0) continue;
    const auto neighbors = graph.Neighbors(node, label);
    for (const NodeId neighbor : neighbors) next.ending_at[neighbor] += paths;
    next.paths += paths * static_cast<double>(neighbors.size());
  }
  return next;
}

// How many paths the prefix would have with each label as its next step.
std::vector<double> CountNext(const LabelledWalkGraph& graph,
                              const Prefix& from) {
  std::vector<double> paths(graph.label_count());
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    if (from.ending_at[node] == 0) continue;
    graph.ForEachLabel(
        node, [&](uint32_t label, std::span<const NodeId> neighbors) {
          paths[label] +=
              from.ending_at[node] * static_cast<double>(neighbors.size());
        });
  }
  return paths;
}

std::vector<Prefix> ShortestPrefixes(const LabelledWalkGraph& graph) {
  const auto nodes = graph.node_count();
  if (graph.labels() == WalkLabels::kRelations) {
    return {{{}, 0, std::vector<double>(nodes, 1)}};
  }
  std::vector<Prefix> starts(graph.label_count());
  for (uint32_t type = 0; type < starts.size(); ++type) {
    starts[type] = {{type}, 0, std::vector<double>(nodes)};
  }
  for (NodeId node = 0; node < nodes; ++node) {
    starts[graph.TypeOf(node)].ending_at[node] = 1;
  }
  return starts;
}

struct CountedMetapath {
  double paths = 0;
  Metapath metapath;

  // The metapath with the most paths comes first.
  bool operator<(const CountedMetapath& other) const {
    return std::pair(-paths, metapath) <
           std::pair(-other.paths, other.metapath);
  }
};

// Returns all metapaths with a path that are one step longer than one of
// `prefixes`, and replaces `prefixes` by the most frequent of these metapaths.
std::vector<CountedMetapath> ExtendAll(const LabelledWalkGraph& graph,
                                       std::vector<Prefix>& prefixes) {
  struct Candidate {
    double paths;
    size_t prefix;
    uint32_t label;
  };
  std::vector<Candidate> candidates;
  std::vector<CountedMetapath> counted;
  for (size_t b = 0; b < prefixes.size(); ++b) {
    const std::vector<double> next = CountNext(graph, prefixes[b]);
    for (uint32_t label = 0; label < next.size(); ++label) {
      if (next[label] == 0) continue;
      candidates.push_back({next[label], b, label});
      Metapath metapath = prefixes[b].metapath;
      metapath.push_back(label);
      counted.push_back({next[label], std::move(metapath)});
    }
  }
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.paths > b.paths; });
  if (candidates.size() > kMostPrefixes) candidates.resize(kMostPrefixes);
  std::vector<Prefix> extended;
  for (const auto& [paths, b, label] : candidates) {
    extended.push_back(Extend(graph, prefixes[b], label));
  }
  prefixes = std::move(extended);
  return counted;
}

bool Has(const WalkScheme& scheme, uint32_t label) {
  return std::find(scheme.steps.begin(), scheme.steps.end(), label) !=
         scheme.steps.end();
}

bool Has(std::span<const WalkScheme> schemes, uint32_t label) {
  return std::any_of(
      schemes.begin(), schemes.end(),
      [label](const WalkScheme& scheme) { return Has(scheme, label); });
}

// The label of a node type or relation by name.
absl::StatusOr<uint32_t> FindLabel(std::string_view name,
                                   const GraphSnapshot& snapshot,
                                   WalkLabels labels) {
  if (labels == WalkLabels::kRelations) {
    const bool against = name.starts_with('^');
    const auto relation = snapshot.FindRelation(name.substr(against ? 1 : 0));
    if (relation) return 2 * uint32_t{*relation} + (against ? 1 : 0);
    return absl::InvalidArgumentError(absl::StrCat(
        "metapath: the graph has no relation '", std::string(name), "'"));
  }
  std::vector<std::string> names;
  for (uint32_t type = 0; type < snapshot.node_type_count(); ++type) {
    names.push_back(snapshot.TypeName(static_cast<NodeTypeId>(type)));
    if (names.back() == name) return type;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("metapath: the graph has no node type '", std::string(name),
                   "'; there are ", absl::StrJoin(names, ", ")));
}

bool HasPath(const LabelledWalkGraph& graph, const Metapath& metapath) {
  const bool typed = graph.labels() == WalkLabels::kNodeTypes;
  std::vector<bool> here(graph.node_count(), true);
  for (size_t step = typed ? 1 : 0; step < metapath.size(); ++step) {
    std::vector<bool> next(here.size());
    for (NodeId node = 0; node < here.size(); ++node) {
      const bool starts =
          step > 1 || !typed || graph.TypeOf(node) == metapath[0];
      if (!here[node] || !starts) continue;
      for (const NodeId end : graph.Neighbors(node, metapath[step])) {
        next[end] = true;
      }
    }
    here = std::move(next);
  }
  return std::find(here.begin(), here.end(), true) != here.end();
}

absl::Status CheckMetapath(const LabelledWalkGraph& graph,
                           const Metapath& metapath, const std::string& text) {
  const bool typed = graph.labels() == WalkLabels::kNodeTypes;
  if (metapath.size() < (typed ? 2 : 1)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "metapath '", text, "' has no step; name two types or more, ",
        "such as author-paper"));
  }
  if (HasPath(graph, metapath)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "metapath '", text,
      "' has no path in the graph: there are no links along its steps"));
}

}  // namespace

absl::StatusOr<std::vector<WalkScheme>> ParseWalkSchemes(
    std::string_view text, const GraphSnapshot& snapshot,
    const LabelledWalkGraph& graph) {
  const bool typed = graph.labels() == WalkLabels::kNodeTypes;
  std::vector<WalkScheme> schemes;
  const std::vector<std::string> metapaths =
      absl::StrSplit(std::string(text), ',', absl::SkipEmpty());
  for (const std::string& metapath_text : metapaths) {
    Metapath metapath;
    const std::vector<std::string> names = absl::StrSplit(
        metapath_text, typed ? kTypeSeparator : kRelationSeparator);
    for (const std::string& name : names) {
      SLICE_ASSIGN_OR_RETURN(const uint32_t label,
                             FindLabel(name, snapshot, graph.labels()));
      metapath.push_back(label);
    }
    SLICE_RETURN_IF_ERROR(CheckMetapath(graph, metapath, metapath_text));
    schemes.push_back(MakeScheme(metapath, graph.labels(), 0));
  }
  if (schemes.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("metapaths is '", std::string(text),
                     "'; it must name at least one metapath"));
  }
  return schemes;
}

double CommonWalkSchemesMib(const GraphSnapshot& snapshot) {
  const double labels = snapshot.node_type_count() > 1
                            ? double(snapshot.node_type_count())
                            : 2.0 * double(snapshot.relation_count());
  // Those of up to three steps are extended; the old ones and the new ones live
  // at once.
  const double beginnings =
      2 * std::min(double(kMostPrefixes), labels * labels * labels);
  return beginnings * double(snapshot.node_count()) * sizeof(double) /
         (1 << 20);
}

std::vector<WalkScheme> CommonWalkSchemes(const LabelledWalkGraph& graph,
                                          int most_steps, size_t count) {
  const WalkLabels labels = graph.labels();
  std::vector<Prefix> prefixes = ShortestPrefixes(graph);
  std::vector<CountedMetapath> counted;
  for (int step = 1; step <= most_steps; ++step) {
    for (CountedMetapath& candidate : ExtendAll(graph, prefixes)) {
      // Of a metapath and its reverse, keep one. Leave out metapaths of one
      // step, unless one step is the limit.
      const bool first =
          candidate.metapath <= Reversed(candidate.metapath, labels);
      if (first && (step > 1 || most_steps == 1)) {
        counted.push_back(std::move(candidate));
      }
    }
  }
  std::sort(counted.begin(), counted.end());
  std::vector<WalkScheme> schemes;
  for (size_t i = 0; i < counted.size(); ++i) {
    const CountedMetapath& candidate = counted[i];
    WalkScheme scheme = MakeScheme(candidate.metapath, labels, candidate.paths);
    const bool adds_label = std::any_of(
        scheme.steps.begin(), scheme.steps.end(),
        [&schemes](uint32_t label) { return !Has(schemes, label); });
    if (i < count || adds_label) schemes.push_back(std::move(scheme));
  }
  return schemes;
}

std::string FormatWalkScheme(const WalkScheme& scheme,
                             const GraphSnapshot& snapshot, WalkLabels labels) {
  std::vector<std::string> names;
  const size_t steps = scheme.steps.size() / 2;
  if (labels == WalkLabels::kNodeTypes) {
    names.push_back(
        snapshot.TypeName(static_cast<NodeTypeId>(scheme.TypeBefore(0))));
    for (size_t i = 0; i < steps; ++i) {
      names.push_back(
          snapshot.TypeName(static_cast<NodeTypeId>(scheme.steps[i])));
    }
    return absl::StrJoin(names, kTypeSeparator);
  }
  for (size_t i = 0; i < steps; ++i) {
    names.push_back(absl::StrCat(
        scheme.steps[i] % 2 == 0 ? "" : "^",
        snapshot.RelationName(static_cast<RelationId>(scheme.steps[i] / 2))));
  }
  return absl::StrJoin(names, kRelationSeparator);
}

}  // namespace slice
