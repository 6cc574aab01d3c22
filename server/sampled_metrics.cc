#include "server/sampled_metrics.h"

#include <utility>

namespace slice {

void SampledMetrics::Add(prometheus::MetricType type, std::string name,
                         std::string help, std::function<double()> value) {
  MutexLock lock(&mutex_);
  entries_.push_back(
      {type, std::move(name), std::move(help), std::move(value)});
}

void SampledMetrics::Clear() {
  MutexLock lock(&mutex_);
  entries_.clear();
}

std::vector<prometheus::MetricFamily> SampledMetrics::Collect() const {
  std::vector<prometheus::MetricFamily> families;
  MutexLock lock(&mutex_);
  for (const Entry& entry : entries_) {
    families.push_back(
        SingleValue(entry.name, entry.help, entry.type, entry.value()));
  }
  return families;
}

prometheus::MetricFamily SingleValue(std::string name, std::string help,
                                     prometheus::MetricType type,
                                     double value) {
  prometheus::MetricFamily family;
  family.name = std::move(name);
  family.help = std::move(help);
  family.type = type;
  prometheus::ClientMetric metric;
  if (type == prometheus::MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  family.metric.push_back(std::move(metric));
  return family;
}

}  // namespace slice
