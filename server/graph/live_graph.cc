// The log holds what the changes of each version come to, and of the request
// only a hash: it tells an update that is sent again from another one.
#include "server/graph/live_graph.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/did_you_mean.h"
#include "common/freed_memory.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "server/graph/update_sequence.h"
#include "server/scheduling/thread_priority.h"

namespace slice {
namespace {

// How often it is seen that a caller who waits for a version has left.
constexpr absl::Duration kLookAtAwaited = absl::Milliseconds(20);
// After that long without updates, the writer empties its cache of memory.
constexpr absl::Duration kIdle = absl::Seconds(1);
// Questions go first. Beside programs that keep a core busy, the writer gets a
// tenth of it.
constexpr int kWriterNiceness = 10;

absl::StatusOr<ChangedGraph> ApplyAs(const GraphSnapshot& graph,
                                     const NamedChanges& changes,
                                     uint64_t version) {
  return ApplyNamedChanges(graph, changes, "changes",
                           {.graph_version = version});
}

}  // namespace

struct LiveGraph::Commit {
  std::shared_ptr<const GraphSnapshot> graph;  // after the records
  std::vector<LoggedChanges> records;
  size_t updates = 0, changes = 0;                 // that were accepted
  std::map<std::string, uint64_t> last_sequences;  // by writer

  // What the writer sent under this number in this commit, if anything.
  std::optional<LoggedUpdate> Find(const std::string& writer,
                                   uint64_t sequence) const {
    for (const LoggedChanges& record : records) {
      if (record.sequence == sequence && record.writer == writer)
        return LoggedUpdate{record.version, record.request_hash};
    }
    return std::nullopt;
  }
};

absl::StatusOr<std::unique_ptr<LiveGraph>> LiveGraph::Open(
    RocksDbGraphStore* store, std::shared_ptr<const GraphSnapshot> base) {
  SLICE_ASSIGN_OR_RETURN(ChangeLog log, store->OpenChangeLog());
  std::unique_ptr<LiveGraph> graph(
      new LiveGraph(std::move(log), std::move(base)));
  SLICE_RETURN_IF_ERROR(graph->Replay());
  graph->thread_ = std::thread([live = graph.get()] { live->Run(); });
  return graph;
}

LiveGraph::LiveGraph(ChangeLog log, std::shared_ptr<const GraphSnapshot> base)
    : log_(std::move(log)), current_(std::move(base)) {}

LiveGraph::~LiveGraph() {
  {
    MutexLock lock(&mutex_);
    closing_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) thread_.join();
  awaited_.End(absl::UnavailableError("the server is stopping"));
}

absl::Status LiveGraph::Replay() {
  MutexLock log_lock(&log_mutex_);
  size_t logged = 0;
  SLICE_ASSIGN_OR_RETURN(auto graph,
                         log_.GraphAt(Current(), std::nullopt, &logged));
  // Of a graph that was compacted before, most rows have changed.
  const bool was_compacted = log_.first_version() > log_.base_version();
  graph = was_compacted ? graph->Compacted() : graph->OffBase(SIZE_MAX);
  MutexLock lock(&mutex_);
  state_.changes_since_compaction = logged;
  current_ = std::move(graph);
  state_.graph_version = log_.last_version();
  state_.base_version = log_.base_version();
  state_.first_version = log_.first_version();
  state_.state_digest = log_.state_digest();
  last_sequences_ = log_.last_sequences();
  return absl::OkStatus();
}

std::shared_ptr<const GraphSnapshot> LiveGraph::Current() const {
  MutexLock lock(&mutex_);
  return current_;
}

LiveGraphState LiveGraph::state() const {
  MutexLock lock(&mutex_);
  return state_;
}

std::pair<std::shared_ptr<const GraphSnapshot>, LiveGraphState>
LiveGraph::CurrentWithState() const {
  MutexLock lock(&mutex_);
  return {current_, state_};
}

absl::Status LiveGraph::FollowFeed(const std::string& identity) {
  MutexLock lock(&log_mutex_);
  return log_.FollowFeed(identity);
}

absl::StatusOr<std::string> LiveGraph::DigestAt(uint64_t version) const {
  MutexLock lock(&log_mutex_);
  return log_.DigestAt(version);
}

absl::StatusOr<std::optional<UpdateOutcome>> LiveGraph::FindApplied(
    GraphUpdate& update) const {
  const uint64_t hash = RequestHash(update.changes);
  MutexLock lock(&log_mutex_);
  return FindRepeated(update, hash, Commit());
}

uint64_t LiveGraph::LastSequence(const std::string& writer) const {
  MutexLock lock(&mutex_);
  const auto found = last_sequences_.find(writer);
  return found == last_sequences_.end() ? 0 : found->second;
}

absl::Status LiveGraph::Submit(GraphUpdate update) {
  const auto count = static_cast<size_t>(update.changes.size());
  MutexLock lock(&mutex_);
  if (closing_) return absl::UnavailableError("the server is stopping");
  SLICE_RETURN_IF_ERROR(waiting_changes_.Admit(update.host, count));
  state_.waiting_changes = waiting_changes_.count();
  waiting_.push_back(std::move(update));
  changed_.SignalAll();
  return absl::OkStatus();
}

absl::Status LiveGraph::WhenVisible(AwaitedVersions::Wait wait) {
  SLICE_RETURN_IF_ERROR(awaited_.Add(std::move(wait)));
  uint64_t visible = 0;
  {
    MutexLock lock(&mutex_);
    visible = state_.graph_version;
    changed_.SignalAll();
  }
  awaited_.Advance(visible);
  return absl::OkStatus();
}

void LiveGraph::Run() {
  WorkInBackground(kWriterNiceness);
  for (;;) {
    std::vector<GraphUpdate> updates = TakeWaiting();
    if (updates.empty()) return;  // it closes
    Apply(std::move(updates));
  }
}

void LiveGraph::WaitForUpdates() {
  for (bool idle = false;;) {
    if (idle) EmptyThreadCache();
    awaited_.Expire(absl::Now());
    MutexLock lock(&mutex_);  // so that a wait that is added now wakes this up
    const bool awaited = awaited_.size() > 0;
    if (!waiting_.empty() || closing_) return;
    if (awaited) {
      changed_.WaitFor(&mutex_, kLookAtAwaited);
    } else if (idle) {
      changed_.Wait(&mutex_);
    } else {
      idle = !changed_.WaitFor(&mutex_, kIdle);
    }
  }
}

std::vector<GraphUpdate> LiveGraph::TakeWaiting() {
  std::vector<GraphUpdate> taken;
  WaitForUpdates();
  MutexLock lock(&mutex_);
  size_t count = 0;
  while (!waiting_.empty() && count < kMostChangesPerCommit) {
    GraphUpdate& first = waiting_.front();
    const auto changes = static_cast<size_t>(first.changes.size());
    count += changes;
    waiting_changes_.Release(first.host, changes);
    taken.push_back(std::move(first));
    waiting_.pop_front();
  }
  state_.waiting_changes = waiting_changes_.count();
  return taken;
}

void LiveGraph::Apply(std::vector<GraphUpdate> updates) {
  Commit commit;
  std::vector<absl::StatusOr<UpdateOutcome>> outcomes;
  {
    MutexLock lock(&log_mutex_);
    commit.graph = Current();
    for (GraphUpdate& update : updates)
      outcomes.push_back(Prepare(update, commit));
    const absl::Status written = Write(commit);
    for (auto& outcome : outcomes) {
      // Without the write, its version does not exist.
      if (outcome.ok() && outcome->graph_version > log_.last_version())
        outcome = written;
    }
  }
  Count(commit, outcomes);
  for (size_t i = 0; i < updates.size(); ++i) {
    if (updates[i].done) updates[i].done(outcomes[i]);
  }
}

void LiveGraph::Count(
    const Commit& commit,
    const std::vector<absl::StatusOr<UpdateOutcome>>& outcomes) {
  MutexLock lock(&mutex_);
  for (const auto& outcome : outcomes) state_.refused_updates += !outcome.ok();
  if (!state_.writable.ok()) return;
  state_.applied_updates += commit.updates;
  state_.applied_changes += commit.changes;
  state_.changes_since_compaction += commit.changes;
}

absl::StatusOr<UpdateOutcome> LiveGraph::Prepare(GraphUpdate& update,
                                                 Commit& commit) {
  if (update.feed_version == 0) {
    if (log_.feed().empty()) return PrepareChanges(update, commit);
    return absl::FailedPreconditionError(absl::StrCat(
        "the graph follows the change feed ", Quoted(log_.feed()),
        "; start the server with --feed, so that all replicas get the change"));
  }
  const uint64_t next = commit.graph->graph_version() + 1;
  if (update.feed_version != next) {
    return absl::UnavailableError(absl::StrCat("version ", update.feed_version,
                                               " cannot follow ", next - 1,
                                               "; retry"));
  }
  auto outcome = PrepareChanges(update, commit);
  if (outcome.ok() ? outcome->repeated : IsSameEverywhere(outcome.status())) {
    SLICE_RETURN_IF_ERROR(AddEmptyVersion(commit));
  }
  return outcome;
}

absl::Status LiveGraph::AddEmptyVersion(Commit& commit) const {
  const uint64_t version = commit.graph->graph_version() + 1;
  SLICE_ASSIGN_OR_RETURN(ChangedGraph same,
                         ApplyAs(*commit.graph, {}, version));
  commit.graph = std::move(same.graph);
  commit.records.push_back({.version = version});
  return absl::OkStatus();
}

absl::StatusOr<UpdateOutcome> LiveGraph::PrepareChanges(GraphUpdate& update,
                                                        Commit& commit) {
  const uint64_t hash = update.writer.empty() ? 0 : RequestHash(update.changes);
  SLICE_ASSIGN_OR_RETURN(auto repeated, FindRepeated(update, hash, commit));
  if (repeated.has_value()) return *std::move(repeated);
  UpdateOutcome outcome;
  outcome.graph_version = commit.graph->graph_version() + 1;
  SLICE_ASSIGN_OR_RETURN(
      ChangedGraph changed,
      ApplyAs(*commit.graph, update.changes, outcome.graph_version));
  commit.graph = std::move(changed.graph);
  outcome.without_effect = std::move(changed.without_effect);
  outcome.added_types = changed.resolved.added_types;
  commit.records.push_back({outcome.graph_version, std::move(changed.resolved),
                            update.writer, update.sequence, hash});
  ++commit.updates;
  commit.changes += static_cast<size_t>(update.changes.size());
  if (!update.writer.empty()) {
    commit.last_sequences[update.writer] = update.sequence;
  }
  return outcome;
}

absl::StatusOr<std::optional<UpdateOutcome>> LiveGraph::FindRepeated(
    const GraphUpdate& update, uint64_t request_hash,
    const Commit& commit) const {
  if (update.writer.empty()) return std::optional<UpdateOutcome>();
  const auto in_commit = commit.last_sequences.find(update.writer);
  const uint64_t last = in_commit != commit.last_sequences.end()
                            ? in_commit->second
                            : log_.LastSequence(update.writer);
  SLICE_RETURN_IF_ERROR(CheckNoGap(update, last));
  if (update.sequence > last) return std::optional<UpdateOutcome>();
  std::optional<LoggedUpdate> before =
      commit.Find(update.writer, update.sequence);
  if (!before.has_value()) {
    SLICE_ASSIGN_OR_RETURN(before, log_.Find(update.writer, update.sequence));
  }
  return AnswerRepeated(update, request_hash, before);
}

absl::Status LiveGraph::Write(Commit& commit) {
  if (commit.records.empty()) return absl::OkStatus();
  const absl::Time start = absl::Now();
  absl::Status written =
      state().writable.ok() ? absl::OkStatus() : log_.Recover();
  if (written.ok()) written = log_.Append(commit.records);
  // What a disk does may pass.
  if (absl::IsInternal(written))
    written = absl::UnavailableError(written.message());
  if (!written.ok()) {
    LogError("changes of the graph were not written, and are refused: %s",
             std::string(written.message()));
  }
  {
    MutexLock lock(&mutex_);
    state_.writable = written;
    if (!written.ok()) return written;
    ++state_.commits;
    state_.commit_time += absl::Now() - start;
    if (noted_.has_value()) {
      for (const LoggedChanges& record : commit.records)
        noted_->push_back(record.changes);
    }
  }
  Publish(commit);
  return absl::OkStatus();
}

void LiveGraph::Publish(const Commit& commit) {
  auto graph = commit.graph->OffBase();
  const uint64_t version = graph->graph_version();
  std::shared_ptr<const GraphSnapshot> before;  // freed without the lock
  {
    MutexLock lock(&mutex_);
    state_.graph_version = version;
    state_.state_digest = log_.state_digest();
    for (const auto& [writer, sequence] : commit.last_sequences)
      last_sequences_[writer] = sequence;
    before = std::exchange(current_, std::move(graph));
  }
  awaited_.Advance(version);
}

std::shared_ptr<const GraphSnapshot> LiveGraph::BeginCompaction() {
  MutexLock log_lock(&log_mutex_);  // a commit is noted and current, or neither
  MutexLock lock(&mutex_);
  noted_.emplace();
  being_compacted_ = state_.changes_since_compaction;
  return current_;
}

void LiveGraph::AbandonCompaction() {
  MutexLock lock(&mutex_);
  noted_.reset();
}

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> LiveGraph::AddNoted(
    std::shared_ptr<const GraphSnapshot> graph) {
  std::vector<GraphChanges> noted;
  {
    MutexLock lock(&mutex_);
    noted.swap(*noted_);
  }
  for (const GraphChanges& changes : noted) {
    SLICE_ASSIGN_OR_RETURN(graph,
                           graph->Apply(changes, graph->graph_version() + 1));
  }
  return graph;
}

absl::Status LiveGraph::EndCompaction(
    std::shared_ptr<const GraphSnapshot> compact,
    std::vector<GraphChanges> changes) {
  const uint64_t version = compact->graph_version();
  auto graph = AddNoted(std::move(compact));  // the most of it, beside updates
  MutexLock log_lock(&log_mutex_);
  if (graph.ok()) graph = AddNoted(*std::move(graph));
  absl::StatusOr<std::string> digest = log_.DigestAt(version);
  absl::Status status = graph.ok() ? digest.status() : graph.status();
  if (status.ok()) {
    status = log_.Summarize({version, *std::move(digest), std::move(changes)});
  }
  AbandonCompaction();
  SLICE_RETURN_IF_ERROR(status);
  std::shared_ptr<const GraphSnapshot> before;  // freed without the lock
  MutexLock lock(&mutex_);
  before = std::exchange(current_, *std::move(graph));
  state_.first_version = version;
  state_.changes_since_compaction -= being_compacted_;
  ++state_.compactions;
  return absl::OkStatus();
}

}  // namespace slice
