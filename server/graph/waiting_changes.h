// How many changes of a graph wait, of all hosts and of each.
#ifndef SLICE_SERVER_GRAPH_WAITING_CHANGES_H_
#define SLICE_SERVER_GRAPH_WAITING_CHANGES_H_

#include <cstddef>
#include <cstdint>
#include <map>

#include "absl/status/status.h"

namespace slice {

// At most kMost changes may wait, and those of one host may be at most as many
// as are free. Thread-compatible.
class WaitingChanges {
 public:
  static constexpr size_t kMost = 100'000;

  // Counts the changes of an update. RESOURCE_EXHAUSTED, with a RetryInfo, when
  // too many wait; then they are not counted.
  absl::Status Admit(uint64_t host, size_t changes);
  // The changes of an update that was admitted do not wait any more.
  void Release(uint64_t host, size_t changes);

  size_t count() const { return count_; }

 private:
  size_t count_ = 0;
  std::map<uint64_t, size_t> of_host_;
};

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_WAITING_CHANGES_H_
