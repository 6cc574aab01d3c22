#include "graphstore/commands/graph_checkpoint_command.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graphstore/commands/graph_flags.h"
#include "graphstore/database_checkpoint.h"
#include "graphstore/graph_directory_lock.h"
#include "graphstore/rocksdb_graph_store.h"
#include "graphstore/store_directory.h"

namespace slice {
namespace {

struct CheckpointOptions {
  std::filesystem::path data_dir;
  std::filesystem::path out_dir;
};

struct RestoreOptions {
  std::filesystem::path checkpoint;
  std::filesystem::path data_dir;
  bool force = false;
};

absl::Status RunCheckpoint(const CheckpointOptions& options,
                           std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto directory, FindStore(options.data_dir));
  auto store = RocksDbGraphStore::Open(
      {.directory = directory, .create_if_missing = false});
  if (absl::IsFailedPrecondition(store.status())) {
    return absl::FailedPreconditionError(absl::StrCat(
        store.status().message(),
        "; while a server has it open, ask the server: slice-client "
        "checkpoint DIRECTORY"));
  }
  SLICE_RETURN_IF_ERROR(store.status());
  SLICE_ASSIGN_OR_RETURN(const CheckpointState made,
                         (*store)->Checkpoint(options.out_dir));
  out << "checkpoint of version " << made.graph_version << " in "
      << options.out_dir.string() << ", state digest " << made.state_digest
      << "\n";
  return absl::OkStatus();
}

absl::StatusOr<std::string> DigestOf(const std::filesystem::path& directory) {
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(directory));
  SLICE_ASSIGN_OR_RETURN(GraphMetadata metadata, store->Metadata());
  return std::move(metadata.graph_digest);
}

absl::Status RunRestore(const RestoreOptions& options, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const std::filesystem::path from,
                         FindStore(options.checkpoint));
  // It may be that of a server, which would go on writing to what is copied.
  SLICE_ASSIGN_OR_RETURN(const auto lock, GraphDirectoryLock::Acquire(from));
  SLICE_ASSIGN_OR_RETURN(const std::string digest, DigestOf(from));
  const std::filesystem::path place = options.data_dir / "graphs" / digest;
  SLICE_ASSIGN_OR_RETURN(const auto other, GraphDirectoryLock::Acquire(place));
  const absl::Status restored = RestoreDatabase(from, place, options.force);
  if (absl::IsAlreadyExists(restored)) {
    return absl::AlreadyExistsError(
        absl::StrCat(place.string(),
                     " holds this graph already; stop the server and "
                     "replace it with --force, or give another --data-dir"));
  }
  SLICE_RETURN_IF_ERROR(restored);
  SLICE_ASSIGN_OR_RETURN(const auto copy, OpenGraphToRead(place));
  SLICE_ASSIGN_OR_RETURN(const ChangeLog log, copy->OpenChangeLog());
  out << "restored version " << log.last_version() << " to " << place.string()
      << ", state digest " << log.state_digest() << "\n";
  return absl::OkStatus();
}

}  // namespace

StatusRun DefineCheckpoint(CommandFlags& flags) {
  const auto options = std::make_shared<CheckpointOptions>();
  AddDataDir(flags, options->data_dir).Required();
  flags
      .Add("--out", options->out_dir,
           "directory of the copy, which must not exist")
      .Type("DIR")
      .Required();
  flags.Footer(
      "Copies a graph that no server has open, with its log of changes. While "
      "a server has it open: slice-client checkpoint DIRECTORY.");
  return [options](const CommandStreams& streams) {
    return RunCheckpoint(*options, streams.out);
  };
}

StatusRun DefineRestore(CommandFlags& flags) {
  const auto options = std::make_shared<RestoreOptions>();
  flags.Add("--checkpoint", options->checkpoint, "directory of the checkpoint")
      .Type("DIR")
      .Required();
  flags
      .Add("--data-dir", options->data_dir,
           "directory of a server that is not running")
      .Type("DIR")
      .Required();
  flags.AddSwitch("--force", options->force,
                  "replace what the directory holds of this graph");
  return [options](const CommandStreams& streams) {
    return RunRestore(*options, streams.out);
  };
}

}  // namespace slice
