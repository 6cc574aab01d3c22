// Metrics whose values are asked for at scrape time.
#ifndef SLICE_SERVER_SAMPLED_METRICS_H_
#define SLICE_SERVER_SAMPLED_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_type.h>

#include <functional>
#include <string>
#include <vector>

#include "common/mutex.h"

namespace slice {

// Gauges and counters that call a function. Thread-safe.
class SampledMetrics : public prometheus::Collectable {
 public:
  // A counter's function must never return less than before.
  void Add(prometheus::MetricType type, std::string name, std::string help,
           std::function<double()> value);

  // Once it returns no function runs any more.
  void Clear();

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  struct Entry {
    prometheus::MetricType type;
    std::string name;
    std::string help;
    std::function<double()> value;
  };

  // Held while the functions run: Clear must not return before they have.
  mutable Mutex mutex_;
  std::vector<Entry> entries_ ABSL_GUARDED_BY(mutex_);
};

// The standard process_* metrics, read from /proc. Thread-safe; stateless.
class ProcessMetrics : public prometheus::Collectable {
 public:
  std::vector<prometheus::MetricFamily> Collect() const override;
};

}  // namespace slice

#endif  // SLICE_SERVER_SAMPLED_METRICS_H_
