// What waits in a server, as its administrator sees it.
#ifndef SLICE_CLIENT_QUEUE_TYPES_H_
#define SLICE_CLIENT_QUEUE_TYPES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace slice {

struct QueuedClass {
  uint64_t links = 0;
  uint64_t cost = 0;  // scorings these ask for
  uint64_t clients = 0;
};

// A stage and what would be taken next from its queue.
struct QueuedStage {
  std::string stage;  // "context", "model"
  QueuedClass interactive;
  QueuedClass bulk;
  double oldest_age_seconds = 0;

  uint64_t next_interactive = 0;
  uint64_t next_bulk = 0;
  uint64_t next_dropped = 0;  // late or cancelled
  bool next_explained = false;
  double next_deadline_seconds = 0;  // until the first one; 0 without a batch
};

struct ShedRequest {
  double age_seconds = 0;
  std::string reason;  // of the metric slice_shed_total
  bool bulk = false;
  uint64_t links = 0;
  double predicted_wait_seconds = 0;
};

struct QueueSnapshot {
  std::vector<QueuedStage> stages;
  // Inside the server, and at most.
  uint64_t links = 0;
  uint64_t max_links = 0;
  uint64_t bytes = 0;
  uint64_t max_bytes = 0;
  // Of a request that came now.
  double interactive_wait_seconds = 0;
  double bulk_wait_seconds = 0;
  std::vector<ShedRequest> shed;  // newest first
};

}  // namespace slice

#endif  // SLICE_CLIENT_QUEUE_TYPES_H_
