// The standard process_* metrics of Prometheus.
#ifndef SLICE_SERVER_PROCESS_METRICS_H_
#define SLICE_SERVER_PROCESS_METRICS_H_

#include <prometheus/collectable.h>

#include <vector>

namespace slice {

// Reads /proc at every scrape. Thread-safe; stateless.
class ProcessMetrics : public prometheus::Collectable {
 public:
  std::vector<prometheus::MetricFamily> Collect() const override;
};

}  // namespace slice

#endif  // SLICE_SERVER_PROCESS_METRICS_H_
