// A graph that changes while it is served. Each accepted update makes the next
// version; versions are immutable, and who holds one keeps it.
#ifndef SLICE_SERVER_GRAPH_LIVE_GRAPH_H_
#define SLICE_SERVER_GRAPH_LIVE_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/mutex.h"
#include "graphstore/change_log.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/rocksdb_graph_store.h"
#include "server/graph/awaited_versions.h"
#include "server/graph/graph_update.h"
#include "server/graph/waiting_changes.h"

namespace slice {

// Thread-safe. One thread applies the updates: it takes all that wait, up to
// kMostChangesPerCommit, makes a version of each, writes them to the log with
// one flush to disk, publishes the last version and then answers. So an
// acknowledged update is on disk and visible.
class LiveGraph {
 public:
  static constexpr size_t kMostChangesPerCommit = 4096;

  // Applies the log of `store`, which must outlive the graph, to `base`, its
  // snapshot. DATA_LOSS when the log is damaged.
  static absl::StatusOr<std::unique_ptr<LiveGraph>> Open(
      RocksDbGraphStore* store, std::shared_ptr<const GraphSnapshot> base);
  // Finishes the updates that wait.
  ~LiveGraph();
  LiveGraph(const LiveGraph&) = delete;
  LiveGraph& operator=(const LiveGraph&) = delete;

  std::shared_ptr<const GraphSnapshot> Current() const;

  // Queues an update. The errors of WaitingChanges::Admit; the update is not
  // used then, and its `done` is not called. `done` gets
  //   the errors of ApplyNamedChanges, with the field "changes";
  //   FAILED_PRECONDITION for a sequence that leaves a gap, and for one that
  //     was used for other changes; for an update without a feed_version when
  //     the graph follows a feed;
  //   RESOURCE_EXHAUSTED for a full disk, UNAVAILABLE or DATA_LOSS for one that
  //     fails: nothing was changed then.
  absl::Status Submit(GraphUpdate update);

  // From now on the versions are those of the feed with this identity
  // (server/feed/change_feed.h). FAILED_PRECONDITION when the versions so far
  // are not: they came from another feed or none.
  absl::Status FollowFeed(const std::string& identity);

  // The answer to an update that was applied before, or nothing for a new one.
  // The errors of Submit for its sequence. May wait for the disk.
  absl::StatusOr<std::optional<UpdateOutcome>> FindApplied(
      GraphUpdate& update) const;

  // Calls wait.ready with OK once its version or a later one is visible: at
  // once, or by the thread that writes. It gets the errors of
  // AwaitedVersions::Expire, and UNAVAILABLE when the graph closes. Fails, and
  // does not call, as AwaitedVersions::Add.
  absl::Status WhenVisible(AwaitedVersions::Wait wait);

  // For GraphCompactor, one compaction at a time. The present version; from now
  // on it is noted what comes after it, until one of the other two is called.
  std::shared_ptr<const GraphSnapshot> BeginCompaction();
  // Puts `compact`, a copy of that version, with what came since, in the place
  // of the present one, and `changes`, which lead from the base to it, in the
  // place of the log up to it. The errors of ChangeLog::Summarize; the graph is
  // as before then.
  absl::Status EndCompaction(std::shared_ptr<const GraphSnapshot> compact,
                             std::vector<GraphChanges> changes);
  void AbandonCompaction();

  LiveGraphState state() const;
  // Both of one version.
  std::pair<std::shared_ptr<const GraphSnapshot>, LiveGraphState>
  CurrentWithState() const;
  // The errors of ChangeLog::DigestAt. May wait for the disk.
  absl::StatusOr<std::string> DigestAt(uint64_t version) const;
  // The last number of a writer in the present version; 0 for an unknown one.
  uint64_t LastSequence(const std::string& writer) const;

 private:
  // Versions that are made and not written yet.
  struct Commit;

  LiveGraph(ChangeLog log, std::shared_ptr<const GraphSnapshot> base);
  absl::Status Replay();
  void Run();
  void WaitForUpdates();
  std::vector<GraphUpdate> TakeWaiting();
  // Applies and writes the updates, publishes, and answers.
  void Apply(std::vector<GraphUpdate> updates);
  // Adds the version that the update makes to `commit`, and returns its answer.
  absl::StatusOr<UpdateOutcome> Prepare(GraphUpdate& update, Commit& commit)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(log_mutex_);
  // The same for an update that makes no version when it is refused or
  // repeated.
  absl::StatusOr<UpdateOutcome> PrepareChanges(GraphUpdate& update,
                                               Commit& commit)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(log_mutex_);
  absl::Status AddEmptyVersion(Commit& commit) const;
  // The answer to an update that came before, or nothing for a new one.
  absl::StatusOr<std::optional<UpdateOutcome>> FindRepeated(
      const GraphUpdate& update, uint64_t request_hash,
      const Commit& commit) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(log_mutex_);
  absl::Status Write(Commit& commit) ABSL_EXCLUSIVE_LOCKS_REQUIRED(log_mutex_);
  // Version, digest, graph and numbers of the writers change together.
  void Publish(const Commit& commit) ABSL_EXCLUSIVE_LOCKS_REQUIRED(log_mutex_);
  absl::StatusOr<std::shared_ptr<const GraphSnapshot>> AddNoted(
      std::shared_ptr<const GraphSnapshot> graph);
  void Count(const Commit& commit,
             const std::vector<absl::StatusOr<UpdateOutcome>>& outcomes);

  mutable Mutex log_mutex_;  // held while the log is written
  ChangeLog log_ ABSL_GUARDED_BY(log_mutex_);

  mutable Mutex mutex_;
  CondVar changed_;
  std::shared_ptr<const GraphSnapshot> current_ ABSL_GUARDED_BY(mutex_);
  ChangeLog::Sequences last_sequences_ ABSL_GUARDED_BY(mutex_);
  std::deque<GraphUpdate> waiting_ ABSL_GUARDED_BY(mutex_);
  WaitingChanges waiting_changes_ ABSL_GUARDED_BY(mutex_);
  std::optional<std::vector<GraphChanges>> noted_
      ABSL_GUARDED_BY(mutex_);  // since a compaction began
  uint64_t being_compacted_ ABSL_GUARDED_BY(mutex_) = 0;  // changes
  LiveGraphState state_ ABSL_GUARDED_BY(mutex_);
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;

  AwaitedVersions awaited_;
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_LIVE_GRAPH_H_
