#include "client/bench/load_types.h"

#include <limits>

namespace slice {

void StageTimes::Add(const ServerTimes& times) {
  queue.Record(times.queue);
  context.Record(times.context);
  model.Record(times.model);
  ++batch_sizes[times.batch_size];
}

double StageTimes::MeanBatchSize() const {
  int64_t calls = 0;
  int64_t sum = 0;
  for (const auto& [size, count] : batch_sizes) {
    calls += count;
    sum += size * count;
  }
  return calls == 0 ? std::numeric_limits<double>::quiet_NaN()
                    : static_cast<double>(sum) / static_cast<double>(calls);
}

}  // namespace slice
