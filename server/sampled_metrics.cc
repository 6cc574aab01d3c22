#include "server/sampled_metrics.h"

#include <utility>

namespace slice {

void SampledMetrics::Add(prometheus::MetricType type, std::string name,
                         std::string help, std::function<double()> value) {
  Add(type, std::move(name), std::move(help), [value = std::move(value)] {
    return std::vector<LabelledValue>{{{}, value()}};
  });
}

void SampledMetrics::Add(prometheus::MetricType type, std::string name,
                         std::string help,
                         std::function<std::vector<LabelledValue>()> values) {
  MutexLock lock(&mutex_);
  entries_.push_back(
      {type, std::move(name), std::move(help), std::move(values)});
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
        Family(entry.name, entry.help, entry.type, entry.values()));
  }
  return families;
}

prometheus::MetricFamily Family(std::string name, std::string help,
                                prometheus::MetricType type,
                                const std::vector<LabelledValue>& values) {
  prometheus::MetricFamily family;
  family.name = std::move(name);
  family.help = std::move(help);
  family.type = type;
  for (const LabelledValue& one : values) {
    prometheus::ClientMetric metric;
    for (const auto& [label, text] : one.labels) {
      metric.label.push_back({label, text});
    }
    (type == prometheus::MetricType::Counter ? metric.counter.value
                                             : metric.gauge.value) = one.value;
    family.metric.push_back(std::move(metric));
  }
  return family;
}

prometheus::MetricFamily SingleValue(std::string name, std::string help,
                                     prometheus::MetricType type,
                                     double value) {
  return Family(std::move(name), std::move(help), type, {{{}, value}});
}

}  // namespace slice
