// One of several servers that make the same versions of a graph from a feed.
#ifndef SLICE_SERVER_FEED_GRAPH_REPLICA_H_
#define SLICE_SERVER_FEED_GRAPH_REPLICA_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "server/feed/awaited_updates.h"
#include "server/feed/change_feed.h"
#include "server/feed/feed_follower.h"
#include "server/graph/live_graph.h"
#include "server/scheduling/task_queue.h"

namespace slice {

struct GraphReplicaOptions {
  FollowerOptions follower;
  // How long Open waits for a feed that does not answer.
  absl::Duration patience = absl::Seconds(10);
};

struct ReplicaState {
  FollowerState follower;
  size_t awaited_changes = 0;  // that were published and did not come back yet
  uint64_t published = 0;
  uint64_t publish_failures = 0;
};

// Thread-safe. An update is published, comes back as an entry of the feed, and
// is acknowledged once the graph here has applied it: then it is stored in the
// feed, on this server's disk, and visible.
class GraphReplica {
 public:
  // Brings the graph to the end of the feed. The errors of
  // FeedFollower::WaitUntilInStep. Feed and graph must outlive the replica.
  static absl::StatusOr<std::unique_ptr<GraphReplica>> Open(
      const GraphReplicaOptions& options);
  // Answers the updates that wait with UNAVAILABLE.
  ~GraphReplica();
  GraphReplica(const GraphReplica&) = delete;
  GraphReplica& operator=(const GraphReplica&) = delete;

  // As LiveGraph::Submit. Beyond its errors, `done` gets UNAVAILABLE with a
  // RetryInfo when the feed cannot be reached or the update does not come back
  // in time: it may be applied nevertheless, and sent again. A writer's update
  // is applied once, however often it is sent.
  absl::Status Submit(GraphUpdate update);

  ReplicaState state() const;

 private:
  // An update on its way to the feed. It has no `done`: AwaitedUpdates has.
  struct Publication;

  explicit GraphReplica(const GraphReplicaOptions& options);
  void Publish(const std::shared_ptr<Publication>& publication);
  void OnDuplicate(const std::shared_ptr<Publication>& publication,
                   uint64_t sequence);
  // Queues a call of Publish.
  absl::Status Post(const std::shared_ptr<Publication>& publication);

  const FollowerOptions options_;
  AwaitedUpdates awaited_;
  std::unique_ptr<FeedFollower> follower_;
  std::atomic<bool> closing_ = false;
  std::atomic<uint64_t> published_ = 0, failures_ = 0;
  TaskQueue publishers_;
};

}  // namespace slice

#endif  // SLICE_SERVER_FEED_GRAPH_REPLICA_H_
