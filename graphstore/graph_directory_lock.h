// Keeps servers from a graph that is copied or replaced.
#ifndef SLICE_GRAPHSTORE_GRAPH_DIRECTORY_LOCK_H_
#define SLICE_GRAPHSTORE_GRAPH_DIRECTORY_LOCK_H_

#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"
#include "common/file_descriptor.h"

namespace slice {

// While it exists, nobody can open the graph of a directory to change it.
// Several may be on one directory, also one that may only be read.
class GraphDirectoryLock {
 public:
  // FAILED_PRECONDITION when somebody has the graph open to change it. Locks
  // nothing where nobody can: on a directory without a graph, and on a file
  // system without locks.
  static absl::StatusOr<GraphDirectoryLock> Acquire(
      const std::filesystem::path& directory);

 private:
  explicit GraphDirectoryLock(std::unique_ptr<FileDescriptor> file)
      : file_(std::move(file)) {}

  std::unique_ptr<FileDescriptor> file_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_DIRECTORY_LOCK_H_
