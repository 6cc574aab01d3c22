// The queues of a server, for its administrator.
#ifndef SLICE_CLIENT_QUEUE_TYPES_H_
#define SLICE_CLIENT_QUEUE_TYPES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace slice {

struct QueuedClass {
  uint64_t links = 0;
  uint64_t cost = 0;  // runs of the network that these links need together
  uint64_t clients = 0;
};

// A stage of the server's work: the links that wait for it, and the batch that
// it would take next (next_...).
struct QueuedStage {
  std::string stage;  // "context", "model"
  QueuedClass interactive;
  QueuedClass bulk;
  double oldest_age_seconds = 0;

  uint64_t next_interactive = 0;  // interactive links
  uint64_t next_bulk = 0;         // bulk links
  uint64_t next_dropped = 0;      // links that are late or cancelled
  bool next_explained = false;    // its links want explanations
  // Seconds until the first deadline in the batch; 0: there is no batch.
  double next_deadline_seconds = 0;
};

// A request that the server refused.
struct ShedRequest {
  double age_seconds = 0;  // since the refusal
  std::string reason;      // as in the metric slice_shed_total
  bool bulk = false;
  uint64_t links = 0;
  double predicted_wait_seconds = 0;
};

struct QueueSnapshot {
  std::vector<QueuedStage> stages;
  // Links and bytes inside the server, and their limits.
  uint64_t links = 0;
  uint64_t max_links = 0;
  uint64_t bytes = 0;
  uint64_t max_bytes = 0;
  // How long a request that comes now is predicted to wait, by its class.
  double interactive_wait_seconds = 0;
  double bulk_wait_seconds = 0;
  std::vector<ShedRequest> shed;  // newest first
};

}  // namespace slice

#endif  // SLICE_CLIENT_QUEUE_TYPES_H_
