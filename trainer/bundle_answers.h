// The answers of a bundle to many links: what the server computes, without one.
#ifndef SLICE_TRAINER_BUNDLE_ANSWERS_H_
#define SLICE_TRAINER_BUNDLE_ANSWERS_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/command/flags.h"
#include "model/prediction.h"
#include "trainer/evaluation/link_scoring.h"
#include "trainer/evaluation/offline_model.h"

namespace slice {

// How the bundle of `model` reads its outputs, with the scorer of that name;
// with its own scorer when `scorer` is empty. INVALID_ARGUMENT for an unknown
// name.
absl::StatusOr<OutputReading> ReadingWith(const OfflineModel& model,
                                          const std::string& scorer);

// The answer to each link, on `threads` threads. Returns the errors of the
// scorer.
absl::StatusOr<std::vector<Prediction>> AnswerLinks(
    const ScoringModel& model, const OutputReading& reading,
    std::span<const Link> links, int threads);

// The flags --keys and --scorer.
void AddAnswerFlags(CommandFlags& flags, bool& exact_keys, std::string& scorer);

}  // namespace slice

#endif  // SLICE_TRAINER_BUNDLE_ANSWERS_H_
