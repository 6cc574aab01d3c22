// Metrics whose values are computed when they are scraped.
#ifndef SLICE_SERVER_SAMPLED_METRICS_H_
#define SLICE_SERVER_SAMPLED_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <prometheus/metric_type.h>

#include <functional>
#include <string>
#include <vector>

#include "common/mutex.h"
#include "server/metric_labels.h"

namespace slice {

// Gauges and counters whose values come from functions. Thread-safe.
class SampledMetrics : public prometheus::Collectable {
 public:
  // Adds a metric without labels. The value of a counter must never fall.
  void Add(prometheus::MetricType type, std::string name, std::string help,
           std::function<double()> value);
  // Adds a metric with labels.
  void Add(prometheus::MetricType type, std::string name, std::string help,
           std::function<std::vector<LabelledValue>()> values);

  // Removes all metrics. Once Clear has returned, none of their functions runs
  // any more.
  void Clear();

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  struct Entry {
    prometheus::MetricType type;
    std::string name;
    std::string help;
    std::function<std::vector<LabelledValue>()> values;
  };

  // Held while the functions run, so that Clear waits for them.
  mutable Mutex mutex_;
  std::vector<Entry> entries_ ABSL_GUARDED_BY(mutex_);
};

// A counter or gauge with these values.
prometheus::MetricFamily Family(std::string name, std::string help,
                                prometheus::MetricType type,
                                const std::vector<LabelledValue>& values);

// A counter or gauge without labels, with its one value.
prometheus::MetricFamily SingleValue(std::string name, std::string help,
                                     prometheus::MetricType type, double value);

}  // namespace slice

#endif  // SLICE_SERVER_SAMPLED_METRICS_H_
