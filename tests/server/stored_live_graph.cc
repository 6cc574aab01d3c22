#include "tests/server/stored_live_graph.h"

#include <gtest/gtest.h>

#include <future>
#include <utility>

namespace slice {

StoredLiveGraph::StoredLiveGraph(const std::filesystem::path& directory,
                                 const GraphData& start)
    : directory_(directory) {
  Open(start);
}

void StoredLiveGraph::Restart() { RestartIn(directory_); }

void StoredLiveGraph::RestartIn(const std::filesystem::path& directory) {
  compactor.reset();
  live.reset();
  store_.reset();
  directory_ = directory;
  Open({});
}

void StoredLiveGraph::Open(const GraphData& start) {
  store_ = *RocksDbGraphStore::Open({.directory = directory_});
  if (!store_->Metadata().ok()) {
    ASSERT_TRUE(store_->BulkLoad(start, "").ok());
  }
  auto opened = LiveGraph::Open(store_.get(), *store_->BuildSnapshot());
  ASSERT_TRUE(opened.ok()) << opened.status();
  live = *std::move(opened);
  compactor = std::make_unique<GraphCompactor>(
      live.get(), [this] { return store_->BuildSnapshot(); }, /*share=*/0);
}

absl::StatusOr<uint64_t> StoredLiveGraph::Apply(const NamedChanges& changes,
                                                uint64_t sequence) {
  std::promise<absl::StatusOr<uint64_t>> made;
  const absl::Status submitted =
      live->Submit({.changes = changes,
                    .writer = "writer",
                    .sequence = sequence,
                    .done = [&](const absl::StatusOr<UpdateOutcome>& outcome) {
                      if (outcome.ok()) {
                        made.set_value(outcome->graph_version);
                      } else {
                        made.set_value(outcome.status());
                      }
                    }});
  if (!submitted.ok()) return submitted;
  return made.get_future().get();
}

std::string StoredLiveGraph::Digest() const {
  return GraphDigest(live->Current()->Data());
}

}  // namespace slice
