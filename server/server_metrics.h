// All metrics of the server. Metric handles are made once, at construction, so
// that recording never takes the lock of the registry.
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
#include "server/metric_labels.h"
#include "server/model_metrics.h"
#include "server/request_class.h"
#include "server/rpc_method.h"

namespace slice {

// Thread-safe.
class ServerMetrics {
 public:
  ServerMetrics();
  ~ServerMetrics();
  ServerMetrics(const ServerMetrics&) = delete;
  ServerMetrics& operator=(const ServerMetrics&) = delete;

  void RpcStarted(RpcMethod method);
  // The number of RPCs of all methods that have started.
  uint64_t rpcs_started() const;
  // `code` is the gRPC status code.
  void RpcHandled(RpcMethod method, int code, absl::Duration elapsed);

  void ItemEnded(RequestClass request_class, ItemOutcome outcome);
  void StageTook(Stage stage, absl::Duration elapsed);
  void BatchFormed(size_t items, double padding_ratio);
  void ItemsShed(ShedReason reason, size_t items);
  // Counts links that reached the model after their deadline, which only a bug
  // of the scheduler can cause.
  void ExpiredOnModel(size_t items);
  void HostileConnectionClosed();
  void ContextCut(size_t nodes, bool truncated);
  void Scored(double probability);
  void ResultLookedUp(bool hit);  // in the result cache
  void RecommendStageTook(RecommendStage stage, absl::Duration elapsed);
  // A recommendation was answered from a ranking of this many candidates.
  // `best_so_far`: time ran out before all of the best were ranked again.
  void Recommended(size_t candidates, bool best_so_far);
  void UnknownNode();
  void UnknownRelation();

  // What is counted for each model.
  ModelMetrics& models();

  void SetReady(bool ready);
  void SetDraining(bool draining);
  // Which forward path (model/forward_pass.h) runs the network, and the timings
  // by which it was chosen.
  void SetForward(ForwardPath path, std::span<const ForwardTiming> timings);

  // Add a gauge or a counter whose value is computed at every scrape, by the
  // scraping thread. ClearSampledMetrics removes them: once it has returned, no
  // `value` runs any more.
  void AddSampledGauge(std::string name, std::string help,
                       std::function<double()> value);
  void AddSampledCounter(std::string name, std::string help,
                         std::function<double()> value);
  // The same with labels. The values of a counter must never fall.
  void AddSampledGauges(std::string name, std::string help,
                        std::function<std::vector<LabelledValue>()> values);
  void AddSampledCounters(std::string name, std::string help,
                          std::function<std::vector<LabelledValue>()> values);
  void ClearSampledMetrics();

  // All metrics in the text exposition format.
  std::string Render() const;

 private:
  struct State;  // hides prometheus-cpp
  const std::unique_ptr<State> state_;
};

// The version of this binary.
std::string_view ServerVersion();

}  // namespace slice

#endif  // SLICE_SERVER_SERVER_METRICS_H_
