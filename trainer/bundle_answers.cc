#include "trainer/bundle_answers.h"

#include <algorithm>

#include "common/parallel.h"
#include "common/status_macros.h"

namespace slice {
namespace {

// Links that a thread encodes and predicts at once: enough that batches of
// links of one length can be formed, and few enough that threads end together.
constexpr size_t kGroup = 512;

}  // namespace

absl::StatusOr<OutputReading> ReadingWith(const OfflineModel& model,
                                          const std::string& scorer) {
  OutputReading reading = model.bundle().manifest().reading;
  if (!scorer.empty()) {
    SLICE_ASSIGN_OR_RETURN(reading.scorer, ParseScorer(scorer));
  }
  return reading;
}

absl::StatusOr<std::vector<Prediction>> AnswerLinks(
    const ScoringModel& model, const OutputReading& reading,
    std::span<const Link> links, int threads) {
  std::vector<Prediction> predictions(links.size());
  std::vector<absl::Status> statuses((links.size() + kGroup - 1) / kGroup);
  ParallelFor(
      links.size(), kGroup, threads, [&](size_t begin, size_t end, int) {
        auto group = PredictLinks(model, links.subspan(begin, end - begin));
        statuses[begin / kGroup] = group.status();
        if (!group.ok()) return;
        for (Prediction& prediction : *group) prediction.Read(reading);
        std::copy(group->begin(), group->end(),
                  predictions.begin() + static_cast<ptrdiff_t>(begin));
      });
  for (const absl::Status& status : statuses) SLICE_RETURN_IF_ERROR(status);
  return predictions;
}

void AddAnswerFlags(CommandFlags& flags, bool& exact_keys,
                    std::string& scorer) {
  flags.AddSwitch("--keys", exact_keys,
                  "the file names nodes by key; otherwise by key, name or "
                  "type:name");
  flags.Add("--scorer", scorer, "the scorer that answers; the bundle's own")
      .OneOf({"context", "ends", "structural"});
}

}  // namespace slice
