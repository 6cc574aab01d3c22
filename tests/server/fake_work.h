// Items without work, for tests of the scheduler.
#ifndef SLICE_TESTS_SERVER_FAKE_WORK_H_
#define SLICE_TESTS_SERVER_FAKE_WORK_H_

#include <atomic>
#include <vector>

#include "server/scheduling/work_item.h"

namespace slice {

struct FakeItem final : WorkItem {
  FakeItem() = default;
  FakeItem(int id, const ServiceOrder& order) : id(id), its_order(order) {}

  ServiceOrder order() const override { return its_order; }
  bool cancelled() const override { return is_cancelled; }

  int id = 0;
  ServiceOrder its_order;
  std::atomic<bool> is_cancelled{false};
};

inline int IdOf(const WorkItem* item) {
  return static_cast<const FakeItem*>(item)->id;
}

inline std::vector<int> Ids(const std::vector<WorkItem*>& items) {
  std::vector<int> ids;
  for (const WorkItem* item : items) ids.push_back(IdOf(item));
  return ids;
}

}  // namespace slice

#endif  // SLICE_TESTS_SERVER_FAKE_WORK_H_
