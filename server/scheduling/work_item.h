// The unit of scheduling: one item (a link), its order of service, and what a
// batch of items has in common.
#ifndef SLICE_SERVER_SCHEDULING_WORK_ITEM_H_
#define SLICE_SERVER_SCHEDULING_WORK_ITEM_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/time/time.h"

namespace slice {

// Bulk work gets what interactive work leaves, and a floor.
enum class RequestClass : uint8_t { kInteractive = 0, kBulk = 1 };
inline constexpr int kRequestClasses = 2;

// Which work a thread takes. Where a device runs one batch after another, its
// threads take all. On cores each class has threads of its own, and those of
// bulk work have a lower priority; the threads of interactive work see to it
// that bulk work gets its share while they are busy.
enum class WorkLane : uint8_t { kInteractive = 0, kBulk = 1, kAll = 2 };
inline constexpr int kWorkLanes = 3;

// What the items of one batch have in common: the model and which of its
// methods they want.
struct BatchKey {
  const void* model = nullptr;
  bool explain = false;

  auto operator<=>(const BatchKey&) const = default;
};

// Whose fair share pays for work: hosts share with one another, and the clients
// of a host its share, as anybody can invent the names of clients. Both are
// hashes.
struct ClientId {
  ClientId() = default;
  ClientId(uint64_t its_host, uint64_t its_name = 0)
      : host(its_host), name(its_name) {}

  auto operator<=>(const ClientId&) const = default;

  uint64_t host = 0;
  uint64_t name = 0;  // within the host
};

struct ServiceOrder {
  BatchKey key;
  RequestClass request_class = RequestClass::kInteractive;
  ClientId client;
  absl::Time deadline = absl::InfiniteFuture();
  size_t cost = 1;  // how many scorings it asks for
};

// Owned by whoever scheduled it, until it is handed out again. The methods are
// called from any thread.
class WorkItem {
 public:
  virtual ~WorkItem() = default;

  // Constant while scheduled.
  virtual ServiceOrder order() const = 0;

  // Whether nobody waits for the result any more. Never goes back to false.
  virtual bool cancelled() const = 0;
};

// What is handed out together. `items` have one key; `dropped` were late or
// cancelled and must be ended without being run.
struct WorkBatch {
  std::vector<WorkItem*> items;
  std::vector<WorkItem*> dropped;

  bool empty() const { return items.empty() && dropped.empty(); }
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_WORK_ITEM_H_
