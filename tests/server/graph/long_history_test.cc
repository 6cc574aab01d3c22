// Long random histories of a live graph, which is restarted, compacted and
// restored from copies meanwhile. A plain record of the history says what the
// graph must hold. SLICE_HISTORIES says how many histories there are (default
// 2), SLICE_HISTORY_CHANGES how many changes each has (default 2,000).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tests/server/stored_live_graph.h"
#include "tests/testing/random_history.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/row_difference.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

int Setting(const char* variable, int value) {
  const char* text = std::getenv(variable);
  if (text != nullptr) EXPECT_TRUE(absl::SimpleAtoi(text, &value)) << text;
  return value;
}

v1::LinkChange NamedLink(const Link& link, const GraphCatalogue& catalogue) {
  v1::LinkChange named;
  named.mutable_source()->set_key(catalogue.nodes[link.source].key);
  named.set_relation(catalogue.relations[link.relation]);
  named.mutable_target()->set_key(catalogue.nodes[link.target].key);
  return named;
}

void AddNode(const NodeRecord& record, const GraphCatalogue& catalogue,
             NamedChanges& named) {
  v1::NodeChange* node = named.Add()->mutable_upsert_node();
  node->set_key(record.key);
  node->set_name(record.name);
  node->set_type(catalogue.node_types[record.type]);
}

// The changes as a client sends them. A removal of a link whose end is gone is
// left out: a client cannot name the end.
NamedChanges Named(const GraphChanges& changes, const GraphCatalogue& catalogue,
                   const std::set<NodeId>& gone) {
  NamedChanges named;
  for (const NodeRecord& record : changes.added_nodes)
    AddNode(record, catalogue, named);
  for (const NodeChange& change : changes.set_nodes)
    AddNode(change.record, catalogue, named);
  for (const WeightedLink& link : changes.added_links) {
    v1::LinkChange* added = named.Add()->mutable_add_link();
    *added = NamedLink(link.link, catalogue);
    added->set_weight(link.weight);
  }
  for (const Link& link : changes.removed_links) {
    if (gone.contains(link.source) || gone.contains(link.target)) continue;
    *named.Add()->mutable_remove_link() = NamedLink(link, catalogue);
  }
  for (const NodeId node : changes.removed_nodes)
    named.Add()->mutable_remove_node()->set_key(catalogue.nodes[node].key);
  return named;
}

class LongHistory {
 public:
  explicit LongHistory(uint64_t seed)
      : seed_(seed),
        random_(seed),
        history_(Start(), seed),
        served_(directory_ / "store", Start()) {}

  void Play(int changes) {
    int made = 0;
    while (made < changes) {
      ASSERT_NO_FATAL_FAILURE(made += Step());
      switch (random_.Below(20)) {
        case 0:
          served_.Restart();
          break;
        case 1:
          ASSERT_TRUE(served_.compactor->Compact().ok());
          break;
        case 2:
          ASSERT_NO_FATAL_FAILURE(Restore());
          break;
        case 3:
          break;
        default:
          continue;  // nothing happens, and nothing is compared
      }
      ASSERT_NO_FATAL_FAILURE(Compare());
    }
    served_.Restart();
    Compare();
    EXPECT_TRUE(served_.Verifies());
  }

 private:
  GraphData Start() const {
    return RandomMultigraph(
        {.nodes = 120, .links = 400, .weighted = seed_ % 2 == 1}, seed_);
  }

  // Sends a batch; returns how many changes it has.
  int Step() {
    const std::set<NodeId> before = history_.removed();
    const GraphChanges changes = history_.Next(1 + random_.Below(200));
    std::set<NodeId> gone = history_.removed();
    gone.insert(before.begin(), before.end());
    const NamedChanges named = Named(changes, history_.Now().catalogue, gone);
    if (named.empty()) return 0;
    const auto version = served_.Apply(named, ++sequence_);
    EXPECT_TRUE(version.ok()) << version.status();
    if (version.ok()) EXPECT_EQ(*version, sequence_);
    return named.size();
  }

  // Goes on in a copy.
  void Restore() {
    const auto copy = directory_ / absl::StrCat("copy-", sequence_);
    const auto state = served_.store().Checkpoint(copy);
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_EQ(state->graph_version, sequence_);
    served_.RestartIn(copy);
    EXPECT_EQ(served_.live->state().state_digest, state->state_digest);
  }

  void Compare() {
    const auto graph = served_.live->Current();
    const GraphData now = history_.Now();
    EXPECT_EQ(graph->graph_version(), sequence_);
    ASSERT_EQ(RowDifference(*graph, *BuildSnapshotOrDie(now)), "")
        << "seed " << seed_ << ", version " << sequence_;
    for (NodeId node = 0; node < graph->node_count(); ++node) {
      const NodeRecord found = graph->Node(node);
      const NodeRecord& wanted = now.catalogue.nodes[node];
      ASSERT_EQ(graph->IsRemoved(node), history_.removed().contains(node));
      if (graph->IsRemoved(node)) continue;
      ASSERT_EQ(found.key, wanted.key);
      ASSERT_EQ(found.name, wanted.name);
      ASSERT_EQ(graph->node_types()[found.type],
                now.catalogue.node_types[wanted.type]);
      ASSERT_EQ(graph->names().FindKey(wanted.key), node);
    }
  }

  const uint64_t seed_;
  const TempDirectory directory_;
  Random random_;
  RandomHistory history_;
  StoredLiveGraph served_;
  uint64_t sequence_ = 0;
};

TEST(LongHistoryTest, IsWhatThePlainRecordSays) {
  const int histories = Setting("SLICE_HISTORIES", 2);
  const int changes = Setting("SLICE_HISTORY_CHANGES", 2000);
  for (int seed = 0; seed < histories; ++seed) {
    LongHistory history(static_cast<uint64_t>(seed));
    ASSERT_NO_FATAL_FAILURE(history.Play(changes));
  }
}

}  // namespace
}  // namespace slice
