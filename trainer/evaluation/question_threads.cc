#include "trainer/evaluation/question_threads.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "common/parallel.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "context/slot_candidates.h"

namespace slice {
namespace {

// The positions of equal questions; each spans a part of an order.
using Groups = std::vector<std::span<const size_t>>;

auto SortKey(const EndQuestion& question) {
  return std::tuple(question.relation, question.direction, question.anchor);
}

std::vector<size_t> SortedOrder(std::span<const EndQuestion> questions) {
  std::vector<size_t> order(questions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](size_t i) { return SortKey(questions[i]); });
  return order;
}

Groups GroupEqual(std::span<const EndQuestion> questions,
                  std::span<const size_t> order) {
  Groups groups;
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    while (end < order.size() &&
           SortKey(questions[order[end]]) == SortKey(questions[order[begin]])) {
      ++end;
    }
    groups.push_back(order.subspan(begin, end - begin));
    begin = end;
  }
  return groups;
}

}  // namespace

absl::Status AskOnThreads(const GraphSnapshot& graph, EndFeatureCache& ends,
                          std::span<const EndQuestion> questions, int threads,
                          const std::string& title, const AskQuestion& ask) {
  const std::vector<size_t> order = SortedOrder(questions);
  const Groups groups = GroupEqual(questions, order);
  const auto kind = [&](const std::span<const size_t>& group) {
    const EndQuestion& question = questions[group.front()];
    return std::pair(question.relation, question.direction);
  };
  ProgressLine progress(title, questions.size(), "questions");
  for (size_t begin = 0; begin < groups.size();) {
    const auto [relation, direction] = kind(groups[begin]);
    size_t end = begin;
    while (end < groups.size() && kind(groups[end]) == kind(groups[begin])) {
      ++end;
    }
    const std::vector<NodeId> fitting =
        SlotCandidates(graph, relation, direction);
    // Otherwise every thread would compute them.
    ends.Get(relation, threads);
    std::vector<absl::Status> statuses(end - begin);
    ParallelFor(end - begin, 1, threads, [&](size_t i, size_t, int worker) {
      statuses[i] = ask(groups[begin + i], fitting, worker);
      progress.Advance(groups[begin + i].size());
    });
    for (const absl::Status& status : statuses) SLICE_RETURN_IF_ERROR(status);
    begin = end;
  }
  progress.Finish();
  return absl::OkStatus();
}

}  // namespace slice
