// The files that a run leaves beside its report.
#ifndef SLICE_TRAINER_METHODS_RUN_FILES_H_
#define SLICE_TRAINER_METHODS_RUN_FILES_H_

#include <filesystem>

#include "absl/status/status.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/test_scores.h"

namespace slice {

// Removes what an earlier run left in `folder`: its report, its scores and its
// vectors, so that none of them stays beside a report of another run. INTERNAL,
// naming the file, when one cannot be removed.
absl::Status RemoveRunFiles(const std::filesystem::path& folder);

// Writes test_scores.npy, and embeddings.npy with embeddings.keys where there
// are vectors. Returns the errors of WriteNpyMatrix().
absl::Status WriteScoresAndVectors(const std::filesystem::path& folder,
                                   const TestScores& scores,
                                   const NodeEmbeddings& embeddings,
                                   const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_RUN_FILES_H_
