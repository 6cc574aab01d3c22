// The values of labels of the server's metrics, each enum with its names.
#ifndef SLICE_SERVER_METRIC_LABELS_H_
#define SLICE_SERVER_METRIC_LABELS_H_

#include <map>
#include <string>
#include <string_view>

#include "server/request_class.h"

namespace slice {

// How the work on one link ended.
enum class ItemOutcome {
  kScored,
  kNotFound,
  kAmbiguous,
  kExpired,
  kCancelled,
  kFailed,
};
inline constexpr int kItemOutcomeCount = 6;
inline constexpr const char* kItemOutcomeNames[kItemOutcomeCount] = {
    "scored", "not_found", "ambiguous", "expired", "cancelled", "failed"};

enum class Stage { kQueue, kContext, kBatchQueue, kModel, kRespond };
inline constexpr int kStageCount = 5;
inline constexpr const char* kStageNames[kStageCount] = {
    "queue", "context", "batch_queue", "model", "respond"};

enum class ShedReason {
  kQueueFull,
  kBytesFull,
  kClientFull,  // the client's share of the room is full
  kTooLate,
  kDraining,
  kLookupQueueFull,
  kRecommendQueueFull,
  kQuota,  // of an identity or a host
};
inline constexpr int kShedReasonCount = 8;
inline constexpr const char* kShedReasonNames[kShedReasonCount] = {
    "queue_full", "bytes_full",        "client_full",          "too_late",
    "draining",   "lookup_queue_full", "recommend_queue_full", "quota"};

// The parts of a recommendation: ranking all candidates, ranking the best ones
// again, and explaining those that are sent.
enum class RecommendStage { kRank, kRerank, kExplain };
inline constexpr int kRecommendStageCount = 3;
inline constexpr const char* kRecommendStageNames[kRecommendStageCount] = {
    "rank", "rerank", "explain"};

inline constexpr const char* kRequestClassNames[kRequestClasses] = {
    "interactive", "bulk"};

inline const char* StageName(Stage stage) {
  return kStageNames[static_cast<int>(stage)];
}

inline const char* StageName(RecommendStage stage) {
  return kRecommendStageNames[static_cast<int>(stage)];
}

inline std::string_view ShedReasonName(ShedReason reason) {
  return kShedReasonNames[static_cast<int>(reason)];
}

// One value of a metric with labels.
struct LabelledValue {
  std::map<std::string, std::string> labels;
  double value = 0;
};

}  // namespace slice

#endif  // SLICE_SERVER_METRIC_LABELS_H_
