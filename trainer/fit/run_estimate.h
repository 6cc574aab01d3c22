// How long a training run will take and how much memory, before it starts.
#ifndef SLICE_TRAINER_FIT_RUN_ESTIMATE_H_
#define SLICE_TRAINER_FIT_RUN_ESTIMATE_H_

#include <cstdint>
#include <span>
#include <string>

#include "graphstore/types.h"
#include "trainer/fit/fit_options.h"

namespace slice {

// What the cost of a run depends on, besides its options.
struct RunSize {
  uint64_t nodes = 0;
  uint64_t train_links = 0;
  uint64_t valid_rows = 0, test_rows = 0;
  // The mean, over the train links, of the links at both of its ends. The cost
  // of a context and of its features grows with it.
  double links_at_ends = 0;
};

// REQUIRES: the ends of all links are below `nodes`.
RunSize MeasureRun(uint64_t nodes, std::span<const Link> links,
                   uint64_t valid_rows, uint64_t test_rows);

// The bounds hold for most graphs on an idle machine; the model and its
// coefficients are in run_estimate.cc.
struct RunEstimate {
  double least_seconds = 0, most_seconds = 0;
  double memory_mib = 0;
};

RunEstimate EstimateRun(const FitOptions& options, const RunSize& size);

// "about 3 to 6 minutes and 1.2 GiB of memory on 2 threads".
std::string DescribeEstimate(const RunEstimate& estimate, int threads);

// A warning when `available_mib` is less than the run is likely to need; empty
// otherwise.
std::string MemoryWarning(const RunEstimate& estimate, double available_mib);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_RUN_ESTIMATE_H_
