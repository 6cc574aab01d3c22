#include "server/graph_metrics.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace slice {
namespace {

using Read = std::function<double(const LiveGraphState& state)>;

// The value of each served model whose graph can change.
std::function<std::vector<LabelledValue>()> OfEachGraph(
    const ModelRegistry* registry, Read read) {
  return [registry, read = std::move(read)] {
    std::vector<LabelledValue> values;
    for (const auto& [name, versions] : registry->models()->models) {
      const auto& graph = versions.serving->graph;
      if (graph == nullptr) continue;
      values.push_back({{{"model", name}}, read(graph->live->state())});
    }
    return values;
  };
}

using ReadReplica = std::function<double(const ReplicaState& state)>;

// The value of each served model whose graph follows a feed.
std::function<std::vector<LabelledValue>()> OfEachReplica(
    const ModelRegistry* registry, ReadReplica read) {
  return [registry, read = std::move(read)] {
    std::vector<LabelledValue> values;
    for (const auto& [name, versions] : registry->models()->models) {
      const auto& graph = versions.serving->graph;
      if (graph == nullptr || graph->replica == nullptr) continue;
      values.push_back({{{"model", name}}, read(graph->replica->state())});
    }
    return values;
  };
}

}  // namespace

void AddFeedMetrics(const ModelRegistry* registry, ServerMetrics* metrics) {
  const auto gauge = [&](const char* name, const char* help, ReadReplica read) {
    metrics->AddSampledGauges(name, help,
                              OfEachReplica(registry, std::move(read)));
  };
  const auto counter = [&](const char* name, const char* help,
                           ReadReplica read) {
    metrics->AddSampledCounters(name, help,
                                OfEachReplica(registry, std::move(read)));
  };
  gauge("slice_feed_connected", "1 while the change feed answers.",
        [](const ReplicaState& state) { return state.follower.connected; });
  gauge("slice_feed_usable",
        "0 when the feed cannot be followed: it lost entries, or is another.",
        [](const ReplicaState& state) { return state.follower.problem.ok(); });
  gauge("slice_feed_entries_behind",
        "Entries of the feed that are not applied here yet, as far as known.",
        [](const ReplicaState& state) {
          return static_cast<double>(state.follower.entries_behind());
        });
  gauge("slice_feed_seconds_since_in_step",
        "Time since all entries of the feed were applied here; 0 while they "
        "are.",
        [](const ReplicaState& state) {
          return absl::ToDoubleSeconds(state.follower.since_in_step);
        });
  gauge("slice_feed_awaited_changes",
        "Changes that were published here and did not come back yet.",
        [](const ReplicaState& state) {
          return static_cast<double>(state.awaited_changes);
        });
  counter("slice_feed_entries_total", "Entries of the feed that were applied.",
          [](const ReplicaState& state) {
            return static_cast<double>(state.follower.consumed_entries);
          });
  counter("slice_feed_refused_entries_total",
          "Entries that made a version without changes.",
          [](const ReplicaState& state) {
            return static_cast<double>(state.follower.refused_entries);
          });
  counter("slice_feed_published_total", "Updates that were published here.",
          [](const ReplicaState& state) {
            return static_cast<double>(state.published);
          });
  counter("slice_feed_publish_failures_total",
          "Updates that the feed did not take.", [](const ReplicaState& state) {
            return static_cast<double>(state.publish_failures);
          });
  counter("slice_feed_digest_differences_total",
          "How often another replica had another state digest of a version.",
          [](const ReplicaState& state) {
            return static_cast<double>(state.follower.digest_differences);
          });
}

void AddGraphMetrics(const ModelRegistry* registry, ServerMetrics* metrics) {
  const auto gauge = [&](const char* name, const char* help, Read read) {
    metrics->AddSampledGauges(name, help,
                              OfEachGraph(registry, std::move(read)));
  };
  const auto counter = [&](const char* name, const char* help, Read read) {
    metrics->AddSampledCounters(name, help,
                                OfEachGraph(registry, std::move(read)));
  };
  gauge("slice_graph_version", "The version of the graph that is served.",
        [](const LiveGraphState& state) {
          return static_cast<double>(state.graph_version);
        });
  metrics->AddSampledGauges(
      "slice_graph_versions_since_model",
      "Versions since the one that the model was made for.", [registry] {
        std::vector<LabelledValue> values;
        for (const auto& [name, versions] : registry->models()->models) {
          const ServedModel& model = *versions.serving;
          if (model.graph == nullptr) continue;
          const uint64_t now = model.graph->live->state().graph_version;
          values.push_back(
              {{{"model", name}},
               static_cast<double>(now - model.base_graph_version)});
        }
        return values;
      });
  metrics->AddSampledGauges(
      "slice_graph_removed_nodes",
      "Nodes that were removed and still take memory.", [registry] {
        std::vector<LabelledValue> values;
        for (const auto& [name, versions] : registry->models()->models) {
          if (versions.serving->graph == nullptr) continue;
          const auto graph = versions.serving->graph->live->Current();
          values.push_back({{{"model", name}},
                            static_cast<double>(graph->node_count() -
                                                graph->present_node_count())});
        }
        return values;
      });
  gauge("slice_graph_writable",
        "0 while changes are refused because they cannot be written to disk.",
        [](const LiveGraphState& state) {
          return state.writable.ok() ? 1.0 : 0.0;
        });
  gauge("slice_graph_waiting_changes", "Changes that wait to be applied.",
        [](const LiveGraphState& state) {
          return static_cast<double>(state.waiting_changes);
        });
  gauge("slice_graph_waiting_changes_limit", "The most changes that may wait.",
        [](const LiveGraphState&) {
          return static_cast<double>(WaitingChanges::kMost);
        });
  counter("slice_graph_changes_total", "Changes that were applied.",
          [](const LiveGraphState& state) {
            return static_cast<double>(state.applied_changes);
          });
  counter("slice_graph_compactions_total",
          "How often the graph was compacted, in memory and on disk.",
          [](const LiveGraphState& state) {
            return static_cast<double>(state.compactions);
          });
  gauge("slice_graph_changes_since_compaction",
        "Changes since the last compaction, or since the start.",
        [](const LiveGraphState& state) {
          return static_cast<double>(state.changes_since_compaction);
        });
  counter("slice_graph_updates_refused_total",
          "Requests with changes that were refused after they had waited.",
          [](const LiveGraphState& state) {
            return static_cast<double>(state.refused_updates);
          });
  counter("slice_graph_commits_total",
          "Writes of changes to disk; each may hold several requests.",
          [](const LiveGraphState& state) {
            return static_cast<double>(state.commits);
          });
  counter("slice_graph_commit_seconds_total",
          "Time that the writes of changes to disk took.",
          [](const LiveGraphState& state) {
            return absl::ToDoubleSeconds(state.commit_time);
          });
}

}  // namespace slice
