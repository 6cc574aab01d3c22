// Everything the server counts. Metric handles are made once, at construction;
// recording never takes a lock of the registry.
#ifndef SLICE_SERVER_SERVER_METRICS_H_
#define SLICE_SERVER_SERVER_METRICS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "model/forward_timing.h"
#include "server/rpc_method.h"
#include "server/scheduling/work_item.h"

namespace prometheus {
class Collectable;
}

namespace slice {

// How the way of one link ended.
enum class ItemOutcome {
  kScored,
  kNotFound,
  kAmbiguous,
  kExpired,
  kCancelled,
  kFailed,
};
inline constexpr int kItemOutcomeCount = 6;

enum class Stage { kQueue, kContext, kBatchQueue, kModel, kRespond };
inline constexpr int kStageCount = 5;

enum class ShedReason {
  kQueueFull,
  kBytesFull,
  kClientFull,  // one client's share of the room
  kTooLate,
  kDraining,
  kLookupQueueFull,
  kRecommendQueueFull,
};
inline constexpr int kShedReasonCount = 7;

// Parts of a recommendation: ranking all candidates, ranking the best again,
// finding the paths behind those sent.
enum class RecommendStage { kRank, kRerank, kExplain };
inline constexpr int kRecommendStageCount = 3;

// Thread-safe.
class ServerMetrics {
 public:
  ServerMetrics();
  ~ServerMetrics();
  ServerMetrics(const ServerMetrics&) = delete;
  ServerMetrics& operator=(const ServerMetrics&) = delete;

  void RpcStarted(RpcMethod method);
  // How many RPCs have started, of all methods.
  uint64_t rpcs_started() const;
  // `code` is the gRPC status code.
  void RpcHandled(RpcMethod method, int code, absl::Duration elapsed);

  void ItemEnded(RequestClass request_class, ItemOutcome outcome);
  void StageTook(Stage stage, absl::Duration elapsed);
  void BatchFormed(size_t items, double padding_ratio);
  void ItemsShed(ShedReason reason, size_t items);
  void ExpiredOnModel(size_t items);  // must never be called with more than 0
  void HostileConnectionClosed();
  void ContextCut(size_t nodes, bool truncated);
  void Scored(double probability);
  void ResultLookedUp(bool hit);  // in the cache
  void RecommendStageTook(RecommendStage stage, absl::Duration elapsed);
  // An answer was ranked, of so many candidates.
  void Recommended(size_t candidates, bool best_so_far);
  void UnknownNode();
  void UnknownRelation();

  void SetReady(bool ready);
  void SetDraining(bool draining);
  void SetBundle(const std::string& model, const std::string& bundle_id,
                 const std::string& preset);
  // How the network is run, and what that was chosen by.
  void SetForward(ForwardPath path, std::span<const ForwardTiming> timings);

  // Adds a gauge, or a counter, whose value is asked for at every scrape, from
  // the scraping thread, until ClearSampledMetrics returns.
  void AddSampledGauge(std::string name, std::string help,
                       std::function<double()> value);
  void AddSampledCounter(std::string name, std::string help,
                         std::function<double()> value);
  void ClearSampledMetrics();

  // What a scrape collects.
  std::vector<std::shared_ptr<prometheus::Collectable>> Collectables() const;

  // The whole in the text exposition format.
  std::string Render() const;

 private:
  struct State;  // hides prometheus-cpp
  const std::unique_ptr<State> state_;
};

std::string_view ShedReasonName(ShedReason reason);             // "queue_full"
std::string_view RequestClassName(RequestClass request_class);  // "bulk"

// The version this binary was built as.
std::string_view ServerVersion();

}  // namespace slice

#endif  // SLICE_SERVER_SERVER_METRICS_H_
