// The thread goes around these steps:
//   1. ask the feed what it holds, and check that it goes on at our version
//   2. read from the next version on, and apply what comes, commit by commit
//   3. when nothing comes for a while, ask again as in 1: the feed may have
//      lost its end, and a reader may have been forgotten by its server
//   4. after an error wait a little and begin again
// Every replica must make the same versions. So an entry that no graph of this
// state can take makes a version without changes, and an error of this machine
// (its disk, its memory) makes none: the entry is read and tried again.
#include "server/feed/feed_follower.h"

#include <algorithm>
#include <atomic>
#include <latch>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

// An entry has at most some MiB, and mostly few bytes.
constexpr size_t kMostEntries = 1024;
constexpr absl::Duration kReadWait = absl::Milliseconds(100);
constexpr absl::Duration kAskAgain = absl::Seconds(1);
constexpr absl::Duration kRetryDelay = absl::Milliseconds(500);
constexpr absl::Duration kProgressInterval = absl::Seconds(10);

absl::Status ShowProblem(const ChangeFeed& feed, const std::string& problem) {
  return absl::FailedPreconditionError(
      absl::StrCat("the feed ", feed.name(), " ", problem));
}

}  // namespace

FeedFollower::FeedFollower(const FollowerOptions& options,
                           AwaitedUpdates* awaited)
    : options_(options),
      feed_(options.feed),
      live_(options.live),
      awaited_(awaited),
      in_step_(options.clock->Now()) {
  state_.version = live_->state().graph_version;
  thread_ = std::thread([this] { Run(); });
}

FeedFollower::~FeedFollower() {
  {
    MutexLock lock(&mutex_);
    closing_ = true;
    changed_.SignalAll();
  }
  thread_.join();
}

absl::Status FeedFollower::WaitUntilInStep(absl::Duration patience) {
  absl::Time heard = absl::Now(), shown = heard;
  uint64_t version = 0;
  MutexLock lock(&mutex_);
  for (;;) {
    if (!state_.problem.ok()) return state_.problem;
    if (has_target_ && state_.version >= target_) return absl::OkStatus();
    const absl::Time now = absl::Now();
    if (state_.connected || state_.version != version) heard = now;
    version = state_.version;
    if (now - heard > patience) {
      LogWarning(
          "the change feed %s does not answer: the graph stays at version %d, "
          "and changes are refused until it does",
          feed_->name(), version);
      return absl::OkStatus();
    }
    if (now - shown > kProgressInterval) {
      LogInfo("replaying the change feed: version %d of %d", version, target_);
      shown = now;
    }
    changed_.WaitFor(&mutex_, kReadWait);
  }
}

void FeedFollower::NoteSequence(uint64_t sequence) {
  MutexLock lock(&mutex_);
  state_.known_last = std::max(state_.known_last, sequence);
}

FollowerState FeedFollower::state() const {
  MutexLock lock(&mutex_);
  FollowerState state = state_;
  const bool in_step = state.connected && state.entries_behind() == 0;
  if (!in_step) state.since_in_step = options_.clock->Now() - in_step_;
  return state;
}

void FeedFollower::Run() {
  while (!closing()) {
    const absl::Status status = Follow();
    if (closing()) return;
    NoteError(status);
    if (!Sleep(kRetryDelay)) return;
  }
}

absl::Status FeedFollower::Follow() {
  SLICE_RETURN_IF_ERROR(CheckExtent());
  SLICE_ASSIGN_OR_RETURN(const auto reader,
                         feed_->ReadFrom(live_->state().graph_version + 1));
  absl::Time heard = absl::Now();
  while (!closing()) {
    const uint64_t before = live_->state().graph_version;
    SLICE_RETURN_IF_ERROR(ReadAndApply(*reader));
    const absl::Time now = absl::Now();
    awaited_->GiveUp(
        options_.clock->Now() - AwaitedUpdates::kMostWait,
        WithRetryDelay(absl::UnavailableError(
                           "the change was published, and did not come back "
                           "from the change feed in time"),
                       kRetryDelay));
    if (live_->state().graph_version != before) {
      heard = now;
    } else if (now - heard > kAskAgain) {
      SLICE_RETURN_IF_ERROR(CheckExtent());
      if (state().entries_behind() > 0) {
        return absl::UnavailableError("the feed does not bring its entries");
      }
      heard = now;
    }
  }
  return absl::OkStatus();
}

absl::Status FeedFollower::CheckExtent() {
  SLICE_ASSIGN_OR_RETURN(const FeedExtent extent, feed_->Extent());
  const LiveGraphState graph = live_->state();
  const uint64_t version = graph.graph_version;
  if (extent.last < graph.base_version) {
    return ShowProblem(
        *feed_, absl::StrCat("ends with version ", extent.last,
                             ", and the graph of the bundle has version ",
                             graph.base_version,
                             ": the bundle is of another feed; name that one, "
                             "or serve a bundle of this feed"));
  }
  if (extent.last < version) {
    return ShowProblem(
        *feed_,
        absl::StrCat("ends with version ", extent.last,
                     ", and the graph here has version ", version,
                     ": the feed lost its end; restore it from a backup, or "
                     "make a new feed and start all servers with one bundle "
                     "that was exported from this replica"));
  }
  if (extent.first > version + 1) {
    return ShowProblem(
        *feed_, absl::StrCat("begins with version ", extent.first,
                             ", and the graph here has version ", version,
                             " and needs ", version + 1,
                             ": start from a newer checkpoint or bundle, or "
                             "let the feed keep its entries for longer"));
  }
  SLICE_RETURN_IF_ERROR(live_->FollowFeed(extent.identity));
  {
    MutexLock lock(&mutex_);
    if (!has_target_) target_ = extent.last;
    has_target_ = true;
  }
  NoteContact(extent.last, /*progress=*/false);
  return absl::OkStatus();
}

absl::Status FeedFollower::ReadAndApply(FeedReader& reader) {
  std::vector<FeedEntry> entries;
  SLICE_RETURN_IF_ERROR(reader.Read(kMostEntries, kReadWait, &entries));
  if (entries.empty()) return absl::OkStatus();
  NoteSequence(reader.known_last());
  uint64_t next = live_->state().graph_version + 1;
  for (const FeedEntry& entry : entries) {
    if (entry.sequence == next++) continue;
    return ShowProblem(
        *feed_,
        absl::StrCat("lacks version ", next - 1, ": version ", entry.sequence,
                     " came instead; nothing may delete single entries "
                     "or write to it in transactions"));
  }
  for (std::span<const FeedEntry> left(entries); !left.empty();) {
    SLICE_ASSIGN_OR_RETURN(const size_t applied, Apply(left));
    left = left.subspan(applied);
  }
  NoteContact(reader.known_last(), /*progress=*/true);
  return absl::OkStatus();
}

absl::StatusOr<size_t> FeedFollower::Apply(std::span<const FeedEntry> entries) {
  const uint64_t before = live_->state().graph_version;
  // Shared, because a thread may still be in count_down when wait returns.
  const auto applied =
      std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(entries.size()));
  const auto refused = std::make_shared<std::atomic<uint64_t>>(0);
  VersionDigest theirs;
  absl::Status submitted;
  for (const FeedEntry& entry : entries) {
    DecodedEntry decoded = DecodeEntry(entry);
    if (!decoded.state.digest.empty()) theirs = std::move(decoded.state);
    decoded.update.done = [this, publication = std::move(decoded.publication),
                           invalid = decoded.refused, applied,
                           refused](absl::StatusOr<UpdateOutcome> outcome) {
      if (outcome.ok() && !invalid.ok()) outcome = invalid;
      if (!outcome.ok() || outcome->repeated) ++*refused;
      if (absl::IsUnavailable(outcome.status()))
        outcome = WithRetryDelay(outcome.status(), kRetryDelay);
      awaited_->Answer(publication, outcome);
      applied->count_down();
    };
    // The queue takes those that it has no room for next time.
    if (submitted.ok()) submitted = live_->Submit(std::move(decoded.update));
    if (!submitted.ok()) applied->count_down();
  }
  applied->wait();
  const LiveGraphState graph = live_->state();
  {
    MutexLock lock(&mutex_);
    state_.consumed_entries += graph.graph_version - state_.version;
    state_.version = graph.graph_version;
    if (graph.writable.ok()) state_.refused_entries += *refused;
    changed_.SignalAll();
  }
  CompareDigests(theirs);
  if (graph.writable.ok() && graph.graph_version > before)
    return graph.graph_version - before;
  return absl::AbortedError(
      absl::StrCat("version ", graph.graph_version + 1,
                   " was not written: ", graph.writable.message()));
}

void FeedFollower::CompareDigests(const VersionDigest& theirs) {
  if (theirs.digest.empty() || theirs.base_digest != options_.base_digest)
    return;
  const auto ours = live_->DigestAt(theirs.version);
  if (!ours.ok() || *ours == theirs.digest) return;
  LogError(
      "replicas differ: version %d has the state digest %s here and %s on "
      "another server; see docs/runbook.md, SliceReplicasDiffer",
      theirs.version, *ours, theirs.digest);
  MutexLock lock(&mutex_);
  ++state_.digest_differences;
}

void FeedFollower::NoteContact(uint64_t known_last, bool progress) {
  MutexLock lock(&mutex_);
  state_.connected = true;
  state_.known_last = std::max(state_.known_last, known_last);
  if (state_.entries_behind() == 0) in_step_ = options_.clock->Now();
  if (state_.entries_behind() == 0 || progress) {
    problem_since_ = absl::InfiniteFuture();
    state_.problem = absl::OkStatus();
  }
  changed_.SignalAll();
}

void FeedFollower::NoteError(const absl::Status& error) {
  if (absl::IsAborted(error)) return;  // of the disk; LiveGraph logged it
  const absl::Time now = options_.clock->Now();
  MutexLock lock(&mutex_);
  if (std::exchange(state_.connected, false))
    LogWarning("%s", std::string(error.message()));
  if (absl::IsUnavailable(error)) return;
  problem_since_ = std::min(problem_since_, now);
  if (now - problem_since_ < options_.problem_patience || !state_.problem.ok())
    return;
  LogError("%s", std::string(error.message()));
  state_.problem = error;
  changed_.SignalAll();
}

bool FeedFollower::Sleep(absl::Duration time) {
  const absl::Time end = absl::Now() + time;
  MutexLock lock(&mutex_);
  for (absl::Time now = absl::Now(); now < end && !closing_; now = absl::Now())
    changed_.WaitFor(&mutex_, end - now);
  return !closing_;
}

bool FeedFollower::closing() const {
  MutexLock lock(&mutex_);
  return closing_;
}

}  // namespace slice
