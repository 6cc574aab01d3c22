// The unit of scheduling is the item: one link. This header defines items,
// their order of service, and batches of them.
#ifndef SLICE_SERVER_SCHEDULING_WORK_ITEM_H_
#define SLICE_SERVER_SCHEDULING_WORK_ITEM_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "server/request_class.h"

namespace slice {

// The work that a thread takes. On a GPU, which runs one batch after another,
// each thread takes all work. On the CPU each class has threads of its own. The
// threads of the bulk class have a lower priority and may get no core.
// Therefore the interactive threads take some bulk work too: just enough that
// bulk work gets its share.
enum class WorkLane : uint8_t { kInteractive = 0, kBulk = 1, kAll = 2 };
inline constexpr int kWorkLanes = 3;

// What the items of one batch have in common: the model, and whether it scores
// or explains them.
struct BatchKey {
  const void* model = nullptr;
  bool explain = false;

  auto operator<=>(const BatchKey&) const = default;
};

// Who is charged for work. Hosts share the server, and the clients of a host
// share what the host gets. The names of clients alone would not be enough,
// because anybody can invent names. Both numbers are hashes.
struct ClientId {
  ClientId() = default;
  explicit ClientId(uint64_t its_host, uint64_t its_name = 0)
      : host(its_host), name(its_name) {}

  auto operator<=>(const ClientId&) const = default;

  uint64_t host = 0;
  uint64_t name = 0;  // within the host
};

// What decides when an item is served, and with which other items in one batch.
struct ServiceOrder {
  BatchKey key;
  RequestClass request_class = RequestClass::kInteractive;
  ClientId client;
  absl::Time deadline = absl::InfiniteFuture();
  size_t cost = 1;  // how many runs of the network it is charged for
};

// The caller that schedules an item owns it. It keeps the item alive until a
// worker has received the item in a WorkBatch. Any thread may call the methods.
class WorkItem {
 public:
  virtual ~WorkItem() = default;

  // Constant while scheduled.
  virtual ServiceOrder order() const = 0;

  // Whether nobody wants the result any more. Never becomes false again.
  virtual bool cancelled() const = 0;
};

// Items that are handed out together. All of `items` have the same BatchKey.
// The items in `dropped` were late or cancelled: the worker must end them
// without running them.
struct WorkBatch {
  std::vector<WorkItem*> items;
  std::vector<WorkItem*> dropped;

  bool empty() const { return items.empty() && dropped.empty(); }
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_WORK_ITEM_H_
