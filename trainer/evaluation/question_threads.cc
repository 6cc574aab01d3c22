#include "trainer/evaluation/question_threads.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "common/parallel.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "context/slot_candidates.h"

namespace slice {

absl::Status AskOnThreads(const GraphSnapshot& graph, EndFeatureCache& ends,
                          std::span<const EndQuestion> questions, int threads,
                          const std::string& title, const AskQuestion& ask) {
  const auto kind = [&](size_t i) {
    return std::pair(questions[i].relation, questions[i].direction);
  };
  std::vector<size_t> order(questions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return kind(a) < kind(b); });
  ProgressLine progress(title, questions.size(), "questions");
  for (size_t begin = 0; begin < order.size();) {
    const auto [relation, direction] = kind(order[begin]);
    size_t end = begin;
    while (end < order.size() && kind(order[end]) == kind(order[begin])) ++end;
    const std::vector<NodeId> fitting =
        SlotCandidates(graph, relation, direction);
    // Otherwise every thread would compute them.
    ends.Get(relation, threads);
    std::vector<absl::Status> statuses(end - begin);
    ParallelFor(end - begin, 1, threads, [&](size_t i, size_t, int worker) {
      statuses[i] = ask(order[begin + i], fitting, worker);
      progress.Advance(1);
    });
    for (const absl::Status& status : statuses) SLICE_RETURN_IF_ERROR(status);
    begin = end;
  }
  progress.Finish();
  return absl::OkStatus();
}

}  // namespace slice
