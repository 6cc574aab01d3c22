#include "trainer/methods/walks/walk_schemes.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/status_macros.h"

namespace slice {
namespace {

// Beginnings of metapaths that are followed at each length.
constexpr size_t kMostBeginnings = 128;
constexpr char kStepsOfTypes[] = "-";
constexpr char kStepsOfRelations[] = "/";

// One way: with types the labels of all nodes, else those of all steps.
using OneWay = std::vector<uint32_t>;

WalkScheme ThereAndBack(const OneWay& way, WalkLabels labels, double paths) {
  WalkScheme scheme;
  scheme.paths = paths;
  if (labels == WalkLabels::kNodeTypes) {
    scheme.steps.assign(way.begin() + 1, way.end());
    scheme.steps.insert(scheme.steps.end(), way.rbegin() + 1, way.rend());
  } else {
    scheme.steps = way;
    for (auto step = way.rbegin(); step != way.rend(); ++step) {
      scheme.steps.push_back(LabelledWalkGraph::Reversed(*step));
    }
  }
  return scheme;
}

// The same metapath from its other end.
OneWay TurnedRound(const OneWay& way, WalkLabels labels) {
  OneWay turned(way.rbegin(), way.rend());
  if (labels == WalkLabels::kRelations) {
    for (uint32_t& step : turned) step = LabelledWalkGraph::Reversed(step);
  }
  return turned;
}

// A metapath as far as it is, and how many of its paths end at each node.
struct Beginning {
  OneWay way;
  double paths = 0;
  std::vector<double> ending_at;  // [nodes]
};

Beginning Extend(const LabelledWalkGraph& graph, const Beginning& from,
                 uint32_t label) {
  Beginning next{from.way, 0, std::vector<double>(graph.node_count())};
  next.way.push_back(label);
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    const double paths = from.ending_at[node];
    if (paths == 0) continue;
    const auto neighbors = graph.Neighbors(node, label);
    for (const NodeId neighbor : neighbors) next.ending_at[neighbor] += paths;
    next.paths += paths * static_cast<double>(neighbors.size());
  }
  return next;
}

// How many paths each label would go on with.
std::vector<double> CountNext(const LabelledWalkGraph& graph,
                              const Beginning& from) {
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

std::vector<Beginning> StartingPoints(const LabelledWalkGraph& graph) {
  const auto nodes = graph.node_count();
  if (graph.labels() == WalkLabels::kRelations) {
    return {{{}, 0, std::vector<double>(nodes, 1)}};
  }
  std::vector<Beginning> starts(graph.label_count());
  for (uint32_t type = 0; type < starts.size(); ++type) {
    starts[type] = {{type}, 0, std::vector<double>(nodes)};
  }
  for (NodeId node = 0; node < nodes; ++node) {
    starts[graph.TypeOf(node)].ending_at[node] = 1;
  }
  return starts;
}

struct Counted {
  double paths = 0;
  OneWay way;

  // The most paths first.
  bool operator<(const Counted& other) const {
    return std::pair(-paths, way) < std::pair(-other.paths, other.way);
  }
};

// All metapaths of so many steps with paths that go on from `beginnings`, and
// the most frequent of them as the next beginnings.
std::vector<Counted> OneStepOn(const LabelledWalkGraph& graph,
                               std::vector<Beginning>& beginnings) {
  struct Candidate {
    double paths;
    size_t beginning;
    uint32_t label;
  };
  std::vector<Candidate> candidates;
  std::vector<Counted> counted;
  for (size_t b = 0; b < beginnings.size(); ++b) {
    const std::vector<double> next = CountNext(graph, beginnings[b]);
    for (uint32_t label = 0; label < next.size(); ++label) {
      if (next[label] == 0) continue;
      candidates.push_back({next[label], b, label});
      OneWay way = beginnings[b].way;
      way.push_back(label);
      counted.push_back({next[label], std::move(way)});
    }
  }
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.paths > b.paths; });
  if (candidates.size() > kMostBeginnings) candidates.resize(kMostBeginnings);
  std::vector<Beginning> extended;
  for (const auto& [paths, b, label] : candidates) {
    extended.push_back(Extend(graph, beginnings[b], label));
  }
  beginnings = std::move(extended);
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

// A type or relation by name, as a label.
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

bool HasPath(const LabelledWalkGraph& graph, const OneWay& way) {
  const bool typed = graph.labels() == WalkLabels::kNodeTypes;
  std::vector<bool> here(graph.node_count(), true);
  for (size_t step = typed ? 1 : 0; step < way.size(); ++step) {
    std::vector<bool> next(here.size());
    for (NodeId node = 0; node < here.size(); ++node) {
      const bool starts = step > 1 || !typed || graph.TypeOf(node) == way[0];
      if (!here[node] || !starts) continue;
      for (const NodeId end : graph.Neighbors(node, way[step])) {
        next[end] = true;
      }
    }
    here = std::move(next);
  }
  return std::find(here.begin(), here.end(), true) != here.end();
}

absl::Status CheckMetapath(const LabelledWalkGraph& graph, const OneWay& way,
                           const std::string& metapath) {
  const bool typed = graph.labels() == WalkLabels::kNodeTypes;
  if (way.size() < (typed ? 2 : 1)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "metapath '", metapath, "' has no step; name two types or more, ",
        "such as author-paper"));
  }
  if (HasPath(graph, way)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "metapath '", metapath,
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
  for (const std::string& metapath : metapaths) {
    OneWay way;
    const std::vector<std::string> names =
        absl::StrSplit(metapath, typed ? kStepsOfTypes : kStepsOfRelations);
    for (const std::string& name : names) {
      SLICE_ASSIGN_OR_RETURN(const uint32_t label,
                             FindLabel(name, snapshot, graph.labels()));
      way.push_back(label);
    }
    SLICE_RETURN_IF_ERROR(CheckMetapath(graph, way, metapath));
    schemes.push_back(ThereAndBack(way, graph.labels(), 0));
  }
  if (schemes.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "metapaths is '", std::string(text), "'; it must name one or more"));
  }
  return schemes;
}

std::vector<WalkScheme> CommonWalkSchemes(const LabelledWalkGraph& graph,
                                          int most_steps, size_t count) {
  const WalkLabels labels = graph.labels();
  std::vector<Beginning> beginnings = StartingPoints(graph);
  std::vector<Counted> counted;
  for (int step = 1; step <= most_steps; ++step) {
    for (Counted& metapath : OneStepOn(graph, beginnings)) {
      // One of the two ways of reading it, and none that is an arc alone as
      // long as there are longer ones.
      const bool first = metapath.way <= TurnedRound(metapath.way, labels);
      if (first && (step > 1 || most_steps == 1)) {
        counted.push_back(std::move(metapath));
      }
    }
  }
  std::sort(counted.begin(), counted.end());
  std::vector<WalkScheme> schemes;
  for (size_t i = 0; i < counted.size(); ++i) {
    const Counted& metapath = counted[i];
    WalkScheme scheme = ThereAndBack(metapath.way, labels, metapath.paths);
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
    return absl::StrJoin(names, kStepsOfTypes);
  }
  for (size_t i = 0; i < steps; ++i) {
    names.push_back(absl::StrCat(
        scheme.steps[i] % 2 == 0 ? "" : "^",
        snapshot.RelationName(static_cast<RelationId>(scheme.steps[i] / 2))));
  }
  return absl::StrJoin(names, kStepsOfRelations);
}

}  // namespace slice
