// Asks many questions on several threads, equal ones together.
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

// Asks one question on the thread `worker`, in [0, threads). `same` are the
// positions of all questions that are equal to it, ascending. `fitting` are the
// SlotCandidates() of the question.
using AskQuestion = std::function<absl::Status(
    std::span<const size_t> same, std::span<const NodeId> fitting, int worker)>;

// Calls `ask` once for all equal questions of `questions`, several at once, and
// shows a progress line called `title`. Questions of one relation and direction
// follow each other, because they share `fitting` and the end features in
// `ends`, which the rankers of all threads should read. Returns the first
// error; later questions may then be left out.
absl::Status AskOnThreads(const GraphSnapshot& graph, EndFeatureCache& ends,
                          std::span<const EndQuestion> questions, int threads,
                          const std::string& title, const AskQuestion& ask);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_QUESTION_THREADS_H_
