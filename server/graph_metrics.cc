#include "server/graph_metrics.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/time.h"

namespace slice {
namespace {

enum class Kind { kGauge, kCounter };

// A metric of one state of each served model: that of its graph, or of the feed
// that its graph follows.
template <typename State>
struct StateMetric {
  Kind kind;
  const char* name;
  const char* help;
  double (*read)(const State& state);
};

const StateMetric<ReplicaState> kFeedMetrics[] = {
    {Kind::kGauge, "slice_feed_connected", "1 while the change feed answers.",
     [](const ReplicaState& state) {
       return state.follower.connected ? 1.0 : 0.0;
     }},
    {Kind::kGauge, "slice_feed_usable",
     "0 when the feed cannot be followed: it lost entries, or is another.",
     [](const ReplicaState& state) {
       return state.follower.problem.ok() ? 1.0 : 0.0;
     }},
    {Kind::kGauge, "slice_feed_entries_behind",
     "Entries of the feed that are not applied here yet, as far as known.",
     [](const ReplicaState& state) {
       return static_cast<double>(state.follower.entries_behind());
     }},
    {Kind::kGauge, "slice_feed_seconds_since_in_step",
     "Time since all entries of the feed were applied here; 0 while they are.",
     [](const ReplicaState& state) {
       return absl::ToDoubleSeconds(state.follower.since_in_step);
     }},
    {Kind::kGauge, "slice_feed_awaited_changes",
     "Changes that were published here and did not come back yet.",
     [](const ReplicaState& state) {
       return static_cast<double>(state.awaited_changes);
     }},
    {Kind::kCounter, "slice_feed_entries_total",
     "Entries of the feed that were applied.",
     [](const ReplicaState& state) {
       return static_cast<double>(state.follower.consumed_entries);
     }},
    {Kind::kCounter, "slice_feed_refused_entries_total",
     "Entries that made a version without changes.",
     [](const ReplicaState& state) {
       return static_cast<double>(state.follower.refused_entries);
     }},
    {Kind::kCounter, "slice_feed_published_total",
     "Updates that were published here.",
     [](const ReplicaState& state) {
       return static_cast<double>(state.published);
     }},
    {Kind::kCounter, "slice_feed_publish_failures_total",
     "Updates that the feed did not take.",
     [](const ReplicaState& state) {
       return static_cast<double>(state.publish_failures);
     }},
    {Kind::kCounter, "slice_feed_digest_differences_total",
     "How often another replica had another state digest of a version.",
     [](const ReplicaState& state) {
       return static_cast<double>(state.follower.digest_differences);
     }},
};

const StateMetric<LiveGraphState> kGraphMetrics[] = {
    {Kind::kGauge, "slice_graph_version",
     "The version of the graph that is served.",
     [](const LiveGraphState& state) {
       return static_cast<double>(state.graph_version);
     }},
    {Kind::kGauge, "slice_graph_writable",
     "0 while changes are refused because they cannot be written to disk.",
     [](const LiveGraphState& state) {
       return state.writable.ok() ? 1.0 : 0.0;
     }},
    {Kind::kGauge, "slice_graph_waiting_changes",
     "Changes that wait to be applied.",
     [](const LiveGraphState& state) {
       return static_cast<double>(state.waiting_changes);
     }},
    {Kind::kGauge, "slice_graph_waiting_changes_limit",
     "The most changes that may wait.",
     [](const LiveGraphState&) {
       return static_cast<double>(WaitingChanges::kMost);
     }},
    {Kind::kCounter, "slice_graph_changes_total", "Changes that were applied.",
     [](const LiveGraphState& state) {
       return static_cast<double>(state.applied_changes);
     }},
    {Kind::kCounter, "slice_graph_compactions_total",
     "How often the graph was compacted, in memory and on disk.",
     [](const LiveGraphState& state) {
       return static_cast<double>(state.compactions);
     }},
    {Kind::kGauge, "slice_graph_changes_since_compaction",
     "Changes since the last compaction, or since the start.",
     [](const LiveGraphState& state) {
       return static_cast<double>(state.changes_since_compaction);
     }},
    {Kind::kCounter, "slice_graph_updates_refused_total",
     "Requests with changes that were refused after they had waited.",
     [](const LiveGraphState& state) {
       return static_cast<double>(state.refused_updates);
     }},
    {Kind::kCounter, "slice_graph_commits_total",
     "Writes of changes to disk; each may hold several requests.",
     [](const LiveGraphState& state) {
       return static_cast<double>(state.commits);
     }},
    {Kind::kCounter, "slice_graph_commit_seconds_total",
     "Time that the writes of changes to disk took.",
     [](const LiveGraphState& state) {
       return absl::ToDoubleSeconds(state.commit_time);
     }},
};

// Reads a value of a model whose `graph` is not null; nullopt: it has none.
using ReadGraph =
    std::function<std::optional<double>(const ServedModel& model)>;

// The value of each served model whose graph can change.
std::function<std::vector<LabelledValue>()> OfEachGraph(
    const ModelRegistry* registry, ReadGraph read) {
  return [registry, read = std::move(read)] {
    std::vector<LabelledValue> values;
    const auto set = registry->models();  // lives on during a reload
    for (const auto& [name, versions] : set->models) {
      const ServedModel& model = *versions.serving;
      if (model.graph == nullptr) continue;
      const std::optional<double> value = read(model);
      if (value.has_value()) values.push_back({{{"model", name}}, *value});
    }
    return values;
  };
}

template <typename State>
void Add(const StateMetric<State>& metric,
         std::function<std::vector<LabelledValue>()> values,
         ServerMetrics* metrics) {
  if (metric.kind == Kind::kGauge) {
    metrics->AddSampledGauges(metric.name, metric.help, std::move(values));
  } else {
    metrics->AddSampledCounters(metric.name, metric.help, std::move(values));
  }
}

}  // namespace

void AddFeedMetrics(const ModelRegistry* registry, ServerMetrics* metrics) {
  for (const auto& metric : kFeedMetrics) {
    const auto read = [read = metric.read](
                          const ServedModel& model) -> std::optional<double> {
      if (model.graph->replica == nullptr) return std::nullopt;
      return read(model.graph->replica->state());
    };
    Add(metric, OfEachGraph(registry, read), metrics);
  }
}

void AddGraphMetrics(const ModelRegistry* registry, ServerMetrics* metrics) {
  for (const auto& metric : kGraphMetrics) {
    const auto read = [read = metric.read](const ServedModel& model) {
      return read(model.graph->live->state());
    };
    Add(metric, OfEachGraph(registry, read), metrics);
  }
  metrics->AddSampledGauges(
      "slice_graph_versions_since_model",
      "Versions since the one that the model was made for.",
      OfEachGraph(registry, [](const ServedModel& model) {
        const uint64_t now = model.graph->live->state().graph_version;
        return static_cast<double>(now - model.base_graph_version);
      }));
  metrics->AddSampledGauges(
      "slice_graph_removed_nodes",
      "Nodes that were removed and still take memory.",
      OfEachGraph(registry, [](const ServedModel& model) {
        const auto graph = model.graph->live->Current();
        return static_cast<double>(graph->node_count() -
                                   graph->present_node_count());
      }));
}

}  // namespace slice
