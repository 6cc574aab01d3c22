// What is counted for each model by name, whichever of its versions answered.
#ifndef SLICE_SERVER_MODEL_METRICS_H_
#define SLICE_SERVER_MODEL_METRICS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"

namespace prometheus {
class Counter;
class Histogram;
class Registry;
template <typename Metric>
class Family;
}  // namespace prometheus

namespace slice {

// Thread-safe. Models come and go by the operator's word, so their names are
// few, and each name gets its metrics when it is first counted.
class ModelMetrics {
 public:
  // `registry` must outlive the object.
  explicit ModelMetrics(prometheus::Registry& registry);
  ModelMetrics(const ModelMetrics&) = delete;
  ModelMetrics& operator=(const ModelMetrics&) = delete;

  // A request that asked this model ended with the gRPC status `code`.
  void Answered(const std::string& model, int code, absl::Duration took);
  // A shadow candidate scored a link too, and its probability differs by this
  // much; or it did not score it.
  void ShadowScored(const std::string& model, double difference);
  void ShadowFailed(const std::string& model);

 private:
  prometheus::Family<prometheus::Counter>& requests_;
  prometheus::Family<prometheus::Histogram>& seconds_;
  prometheus::Family<prometheus::Histogram>& shadow_differences_;
  prometheus::Family<prometheus::Counter>& shadow_failures_;
};

// The bounds of every histogram of seconds.
const std::vector<double>& SecondsBuckets();

}  // namespace slice

#endif  // SLICE_SERVER_MODEL_METRICS_H_
