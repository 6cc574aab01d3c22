#include "server/open_files.h"

#include <sys/resource.h>

#include <algorithm>

namespace slice {
namespace {

// How many open files are left for everything but connections: the graph, logs,
// listeners and pipes.
constexpr size_t kOtherFiles = 512;
constexpr size_t kMostConnections = 10'000;

}  // namespace

void RaiseOpenFileLimit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

size_t OpenFileLimit() {
  rlimit limit = {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : kOtherFiles;
}

size_t ConnectionsWithin(size_t open_files) {
  const size_t most =
      open_files >= 2 * kOtherFiles ? open_files - kOtherFiles : open_files / 2;
  return std::clamp<size_t>(most, 1, kMostConnections);
}

}  // namespace slice
