// Asks many questions on several threads.
#ifndef SLICE_TRAINER_EVALUATION_QUESTION_THREADS_H_
#define SLICE_TRAINER_EVALUATION_QUESTION_THREADS_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "context/end_feature_cache.h"
#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Asks question i on the thread `worker`, in [0, threads). `fitting` are the
// SlotCandidates() of the question.
using AskQuestion = std::function<absl::Status(
    size_t i, std::span<const NodeId> fitting, int worker)>;

// Calls `ask` for each of `questions`, several at once, and shows a progress
// line called `title`. Questions of one relation and direction follow each
// other, because they share `fitting` and the end features in `ends`, which the
// rankers of all threads should read. Returns the first error; later questions
// may then be left out.
absl::Status AskOnThreads(const GraphSnapshot& graph, EndFeatureCache& ends,
                          std::span<const EndQuestion> questions, int threads,
                          const std::string& title, const AskQuestion& ask);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_QUESTION_THREADS_H_
