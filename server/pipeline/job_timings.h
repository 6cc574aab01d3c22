// How long the parts of a request took.
#ifndef SLICE_SERVER_PIPELINE_JOB_TIMINGS_H_
#define SLICE_SERVER_PIPELINE_JOB_TIMINGS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace slice {

// The largest value of each member among the items of a request.
struct JobTimings {
  absl::Duration queue, context, model;
  size_t batch_size = 0;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_JOB_TIMINGS_H_
