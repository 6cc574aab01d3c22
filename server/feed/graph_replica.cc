// The way of an update:
//   1. Submit keeps its `done` under the name of the publication, and queues it
//   2. a publisher's thread appends it to the feed, under a message id made of
//      its writer, sequence and changes
//   3. the follower reads the entry, as on all other replicas, and LiveGraph
//      applies it or refuses it
//   4. the follower answers the publication whose name is in the entry
// A feed that knows the message id stores no second entry. If the first one was
// applied, the update is answered as a repeated one. If it was refused, the
// update is published again, because the graph may take it now.
#include "server/feed/graph_replica.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/status_macros.h"
#include "server/feed/feed_entry_codec.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

// Publishers wait for the feed most of the time.
constexpr TaskQueueOptions kPublishers = {.threads = 8, .max_tasks = 1024};
constexpr absl::Duration kRetryDelay = absl::Milliseconds(500);

absl::Status Later(const absl::Status& status) {
  return absl::IsUnavailable(status) ? WithRetryDelay(status, kRetryDelay)
                                     : status;
}

}  // namespace

struct GraphReplica::Publication {
  std::string name;
  GraphUpdate update;
  std::string message_id;
  bool again = false;  // it is new although the feed knows its id
};

absl::StatusOr<std::unique_ptr<GraphReplica>> GraphReplica::Open(
    const GraphReplicaOptions& options) {
  std::unique_ptr<GraphReplica> replica(new GraphReplica(options));
  SLICE_RETURN_IF_ERROR(replica->follower_->WaitUntilInStep(options.patience));
  return replica;
}

GraphReplica::GraphReplica(const GraphReplicaOptions& options)
    : options_(options.follower),
      follower_(std::make_unique<FeedFollower>(options_, &awaited_)),
      publishers_(kPublishers) {}

GraphReplica::~GraphReplica() {
  closing_ = true;
  publishers_.Close();
  follower_.reset();
  awaited_.GiveUp(absl::InfiniteFuture(),
                  absl::UnavailableError("the server is stopping"));
}

absl::Status GraphReplica::Submit(GraphUpdate update) {
  auto publication = std::make_shared<Publication>();
  SLICE_ASSIGN_OR_RETURN(publication->name,
                         awaited_.Add(update, options_.clock->Now()));
  publication->update = std::move(update);
  publication->message_id = publication->update.writer.empty()
                                ? publication->name
                                : MessageIdOf(publication->update);
  const absl::Status posted = Post(publication);
  if (!posted.ok()) awaited_.Answer(publication->name, posted);
  return absl::OkStatus();
}

absl::Status GraphReplica::Post(
    const std::shared_ptr<Publication>& publication) {
  const TaskOrder order = {.client = ClientId(publication->update.host)};
  if (publishers_.TryPost(order,
                          [this, publication] { Publish(publication); })) {
    return absl::OkStatus();
  }
  return WithRetryDelay(
      absl::ResourceExhaustedError(
          "too many updates of the graph are waiting to be published"),
      kRetryDelay);
}

void GraphReplica::Publish(const std::shared_ptr<Publication>& publication) {
  if (closing_) return;  // answered at the end
  GraphUpdate& update = publication->update;
  if (publication->again) {
    const auto applied = options_.live->FindApplied(update);
    if (applied.ok() && applied->has_value())
      return awaited_.Answer(publication->name, **applied);
  }
  const LiveGraphState graph = options_.live->state();
  const std::string id =
      publication->again
          ? absl::StrCat(publication->message_id, ".", publication->name)
          : publication->message_id;
  const auto published = options_.feed->Publish(
      EncodeEntry(
          update, publication->name,
          {options_.base_digest, graph.graph_version, graph.state_digest}),
      id);
  if (!published.ok()) {
    ++failures_;
    return awaited_.Answer(publication->name, Later(published.status()));
  }
  ++published_;
  follower_->NoteSequence(published->sequence);
  if (published->duplicate) OnDuplicate(publication, published->sequence);
}

void GraphReplica::OnDuplicate(const std::shared_ptr<Publication>& publication,
                               uint64_t sequence) {
  publication->again = true;
  const auto ready = [this, publication](const absl::Status& visible) {
    // Otherwise the replica may be gone, and the update is given up anyway.
    if (!visible.ok()) return;
    const absl::Status posted = Post(publication);
    if (!posted.ok()) awaited_.Answer(publication->name, posted);
  };
  const absl::Status waits = options_.live->WhenVisible(
      {.version = sequence,
       .deadline = absl::Now() + AwaitedUpdates::kMostWait,
       .cancelled = [] { return false; },
       .ready = ready});
  if (!waits.ok()) awaited_.Answer(publication->name, waits);
}

ReplicaState GraphReplica::state() const {
  return {.follower = follower_->state(),
          .awaited_changes = awaited_.changes(),
          .published = published_,
          .publish_failures = failures_};
}

}  // namespace slice
