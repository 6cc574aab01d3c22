#include "server/scheduling/deadline_lines.h"

namespace slice {
namespace {

bool IsServedBefore(const QueuedItem& a, const QueuedItem& b) {
  if (a.order.deadline != b.order.deadline) {
    return a.order.deadline < b.order.deadline;
  }
  return a.sequence < b.sequence;
}

}  // namespace

void DeadlineLines::Push(const QueuedItem& queued) {
  auto at = std::find_if(lines_.begin(), lines_.end(), [&](const auto& entry) {
    return entry.first == queued.order.key;
  });
  if (at == lines_.end()) at = lines_.insert(at, {queued.order.key, Line()});
  at->second[queued.order.deadline].push_back(queued);
}

DeadlineLines::Line* DeadlineLines::Choose(const BatchKey* key) {
  const auto first = [](const Line& line) -> const QueuedItem& {
    return line.begin()->second.front();
  };
  Line* chosen = nullptr;
  for (auto& [line_key, line] : lines_) {
    if (key != nullptr && line_key != *key) continue;
    if (chosen == nullptr || IsServedBefore(first(line), first(*chosen))) {
      chosen = &line;
    }
  }
  return chosen;
}

const QueuedItem* DeadlineLines::Front(const BatchKey* key) {
  const Line* line = Choose(key);
  return line == nullptr ? nullptr : &line->begin()->second.front();
}

QueuedItem DeadlineLines::Pop(const BatchKey* key) {
  const QueuedItem queued = PopFrom(*Choose(key));
  RemoveEmptyLines();
  return queued;
}

QueuedItem DeadlineLines::PopFrom(Line& line) {
  const auto earliest = line.begin();
  const QueuedItem queued = earliest->second.front();
  earliest->second.pop_front();
  if (earliest->second.empty()) line.erase(earliest);
  return queued;
}

void DeadlineLines::RemoveEmptyLines() {
  std::erase_if(lines_, [](const auto& entry) { return entry.second.empty(); });
}

absl::Time DeadlineLines::EarliestDeadline() const {
  absl::Time earliest = absl::InfiniteFuture();
  for (const auto& [key, line] : lines_) {
    earliest = std::min(earliest, line.begin()->first);
  }
  return earliest;
}

// The items of one deadline are in order of arrival.
absl::Time DeadlineLines::OldestEnqueued() const {
  absl::Time oldest = absl::InfiniteFuture();
  for (const auto& [key, line] : lines_) {
    for (const auto& [deadline, items] : line) {
      oldest = std::min(oldest, items.front().enqueued);
    }
  }
  return oldest;
}

}  // namespace slice
