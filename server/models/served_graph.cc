// OpenServedGraph opens the store. A store that was being replaced when the
// program ended is put back first. When there is no store, or when its files
// are damaged:
//   1. the free space of the disk is checked
//   2. DIRECTORY.lock is taken, so that only one process builds
//   3. the store is ingested into DIRECTORY.partial and synced to disk
//   4. DIRECTORY.partial replaces DIRECTORY, and the store is opened
// A process that is killed leaves at most the lock file, whose lock the kernel
// releases, and DIRECTORY.partial, which the next build removes.
#include "server/models/served_graph.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/file_descriptor.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "graphstore/write_ahead_log.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

// Room for what RocksDB writes beside the graph: its logs and manifests.
constexpr uint64_t kSpareBytes = 1 << 20;

// Called before RocksDB starts to write: RocksDB ends the process when the disk
// fills up while it makes a file.
absl::Status CheckFreeSpace(const fs::path& directory, uint64_t needed) {
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  if (error || space.available >= needed) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("disk full: ", directory.string(), " has ", space.available,
                   " bytes free, opening the graph needs ", needed));
}

bool IsOnReadOnlyFileSystem(const fs::path& directory) {
  return access(directory.c_str(), W_OK) != 0 && errno == EROFS;
}

absl::Status RemoveAll(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  return error ? FileError("remove", path, error.value()) : absl::OkStatus();
}

absl::Status SyncTree(const fs::path& directory) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    SLICE_RETURN_IF_ERROR(SyncPath(entry.path()));
  }
  if (error) return FileError("list", directory, error.value());
  return SyncPath(directory);
}

// Locks the build of a store. The kernel releases the lock when the process
// ends.
class BuildLock {
 public:
  explicit BuildLock(fs::path path)
      : path_(std::move(path)), file_(path_, O_RDWR | O_CREAT, 0644) {}
  ~BuildLock() {
    if (taken_) unlink(path_.c_str());
  }
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

  absl::Status Take() {
    if (!file_.ok()) return FileError("create", path_, errno);
    taken_ = flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
    if (taken_) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat("cannot build the graph of ", path_.string(),
                     ": the data directory is in use by another process; give "
                     "each server its own --data-dir"));
  }

 private:
  const fs::path path_;
  const FileDescriptor file_;
  bool taken_ = false;
};

absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenExisting(
    const fs::path& directory) {
  RocksDbGraphStoreOptions options;
  options.directory = directory;
  options.create_if_missing = false;
  options.read_only = IsOnReadOnlyFileSystem(directory);
  std::error_code error;
  const bool exists = fs::exists(directory / "CURRENT", error);
  // A directory of another user, or a disk that fails, may well hold a store.
  if (error) return FileError("look into", directory, error.value());
  if (exists && !options.read_only) {
    SLICE_RETURN_IF_ERROR(CheckFreeSpace(directory, kSpareBytes));
  }
  SLICE_ASSIGN_OR_RETURN(auto store, RocksDbGraphStore::Open(options));
  const absl::Status has_graph = store->Metadata().status();
  if (has_graph.ok()) return store;
  // A store without a graph is the rest of a load that was cut short. Any other
  // error, such as a newer format or a read that failed once, is no damage.
  return absl::IsFailedPrecondition(has_graph)
             ? absl::DataLossError(has_graph.message())
             : has_graph;
}

// Fetches the store that a restore had set aside when it was interrupted.
absl::Status PutBack(const fs::path& directory) {
  SLICE_ASSIGN_OR_RETURN(const bool was_aside, PutBackDirectory(directory));
  if (was_aside) {
    LogWarning(
        "%s was being replaced when the program that did it was killed; it is "
        "served as it was before. Run slice-graph restore again to replace it",
        directory.string());
  }
  return absl::OkStatus();
}

// Keeps a store that cannot be read, because its log may hold changes that
// nothing else holds.
absl::Status SetAside(const fs::path& directory, const absl::Status& why) {
  std::error_code error;
  if (!fs::exists(directory, error) || fs::is_empty(directory, error)) {
    return absl::OkStatus();
  }
  fs::path aside;
  int number = 0;
  do {
    aside = absl::StrCat(directory.string(), ".damaged-", ++number);
  } while (fs::exists(aside, error));
  fs::rename(directory, aside, error);
  if (error) return FileError("set aside", directory, error.value());
  LogError(
      "the graph cannot be read: %s. It is kept as %s. It is built again from "
      "the bundle, without the changes that came later; slice-graph restore "
      "puts a checkpoint with them in its place",
      std::string(why.message()), aside.string());
  return absl::OkStatus();
}

// Builds the store in `partial` and closes it.
absl::Status BuildAside(const fs::path& sst_directory,
                        const fs::path& partial) {
  SLICE_RETURN_IF_ERROR(RemoveAll(partial));
  RocksDbGraphStoreOptions options;
  options.directory = partial;
  SLICE_RETURN_IF_ERROR(
      RocksDbGraphStore::OpenOrIngest(options, sst_directory).status());
  return SyncTree(partial);
}

absl::Status Build(const fs::path& directory, const fs::path& sst_directory) {
  SLICE_RETURN_IF_ERROR(CreateDirectories(directory.parent_path()));
  SLICE_RETURN_IF_ERROR(CheckFreeSpace(
      directory.parent_path(), DirectoryBytes(sst_directory) + kSpareBytes));
  BuildLock lock(directory.string() + ".lock");
  SLICE_RETURN_IF_ERROR(lock.Take());
  const fs::path partial = directory.string() + ".partial";
  SLICE_RETURN_IF_ERROR(BuildAside(sst_directory, partial));
  return ReplaceDirectory(partial, directory);
}

}  // namespace

absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenServedGraph(
    const fs::path& directory, const fs::path& sst_directory) {
  SLICE_RETURN_IF_ERROR(PutBack(directory));
  auto opened = OpenExisting(directory);
  const bool is_unreadable =
      absl::IsNotFound(opened.status()) || absl::IsDataLoss(opened.status());
  if (!is_unreadable || sst_directory.empty()) return opened;
  // To begin again without acknowledged changes is the decision of a person.
  const absl::Status log = CheckWriteAheadLog(directory);
  if (absl::IsDataLoss(log)) return log;
  SLICE_RETURN_IF_ERROR(SetAside(directory, opened.status()));
  SLICE_RETURN_IF_ERROR(Build(directory, sst_directory));
  return OpenExisting(directory);
}

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> ServedGraph::Base() const {
  MutexLock lock(&mutex_);
  if (auto held = base_.lock()) return held;
  SLICE_ASSIGN_OR_RETURN(auto base, store->BuildSnapshot());
  base_ = base;
  return base;
}

void ServedGraphs::Close(const ServedGraph* graph) {
  // A change that came meanwhile is nowhere else.
  const bool remove =
      graph->remove_when_closed_ && graph->live->state().graph_version == 0;
  const fs::path directory = graph->directory;
  delete graph;
  if (!remove) return;
  if (const absl::Status removed = RemoveAll(directory); !removed.ok())
    LogWarning("%s", std::string(removed.message()));
}

absl::StatusOr<std::shared_ptr<const ServedGraph>> ServedGraphs::Open(
    const fs::path& data_dir, const std::string& digest,
    const fs::path& sst_directory) {
  MutexLock lock(&state_->mutex);
  for (auto known = state_->open.find(digest); known != state_->open.end();
       known = state_->open.find(digest)) {
    if (auto graph = known->second.lock()) return graph;
    state_->closed.Wait(&state_->mutex);  // its last owner is closing it
  }
  auto graph = std::make_unique<ServedGraph>();
  graph->digest = digest;
  graph->directory = data_dir / "graphs" / digest;
  SLICE_ASSIGN_OR_RETURN(graph->store,
                         OpenServedGraph(graph->directory, sst_directory));
  SLICE_ASSIGN_OR_RETURN(auto base, graph->Base());
  SLICE_ASSIGN_OR_RETURN(graph->live,
                         LiveGraph::Open(graph->store.get(), base));
  graph->compactor = std::make_unique<GraphCompactor>(
      graph->live.get(), [of = graph.get()] { return of->Base(); });
  // The last owner closes the store, and nobody opens it again meanwhile. The
  // entry must go: it would keep this function, and so its own map, for ever.
  std::shared_ptr<const ServedGraph> shared(
      graph.release(), [state = state_, digest](const ServedGraph* closing) {
        MutexLock closes(&state->mutex);
        Close(closing);
        state->open.erase(digest);
        state->closed.SignalAll();
      });
  state_->open.emplace(digest, shared);
  return shared;
}

absl::Status ServedGraphs::FollowFeed(const ServedGraph& graph) {
  MutexLock lock(&state_->mutex);
  if (feed_ == nullptr || graph.replica != nullptr) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(
      graph.replica,
      GraphReplica::Open({.follower = {.feed = feed_,
                                       .live = graph.live.get(),
                                       .base_digest = graph.digest}}));
  return absl::OkStatus();
}

absl::Status ServedGraph::Submit(GraphUpdate update) const {
  return replica != nullptr ? replica->Submit(std::move(update))
                            : live->Submit(std::move(update));
}

absl::Status ServedGraph::CheckWritable() const {
  SLICE_RETURN_IF_ERROR(live->state().writable);
  if (replica == nullptr) return absl::OkStatus();
  const FollowerState follower = replica->state().follower;
  SLICE_RETURN_IF_ERROR(follower.problem);
  return follower.connected
             ? absl::OkStatus()
             : absl::UnavailableError("the change feed cannot be reached");
}

bool ServedGraphs::IsOpen(const std::string& digest) const {
  MutexLock lock(&state_->mutex);
  const auto found = state_->open.find(digest);
  return found != state_->open.end() && !found->second.expired();
}

}  // namespace slice
