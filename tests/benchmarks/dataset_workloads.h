// What micro-benchmarks run on: data sets on disk, and graphs made up.
#ifndef SLICE_TESTS_BENCHMARKS_DATASET_WORKLOADS_H_
#define SLICE_TESTS_BENCHMARKS_DATASET_WORKLOADS_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

// A training graph and held-out links to ask about.
struct Workload {
  std::string name;
  std::shared_ptr<const GraphSnapshot> snapshot;
  std::vector<Link> links;
};

// Takes `--data-dir=DIR` (or `--data-dir DIR`) out of the arguments; without it
// the environment variable SLICE_DATASETS; empty when neither is given.
std::filesystem::path TakeDataDirectory(int* argc, char** argv);

// Takes `--large` out of the arguments; whether it was there.
bool TakeLarge(int* argc, char** argv);

// One workload for each directory below `data_directory` that holds train.txt
// and test.txt (nodes.tsv is read when present), by name, with at most
// `max_links` links each. Says on standard error when there is none, and exits
// when a file cannot be read.
std::vector<Workload> DatasetWorkloads(
    const std::filesystem::path& data_directory, size_t max_links);

// 120,000 nodes and 400,000 links, half of which end at one of two hubs; half
// of the links asked about exist.
Workload HubWorkload(size_t max_links);

// Links between uniformly drawn nodes: the worst case for caches.
std::shared_ptr<const GraphSnapshot> UniformSnapshot(size_t nodes,
                                                     size_t links);

}  // namespace slice

#endif  // SLICE_TESTS_BENCHMARKS_DATASET_WORKLOADS_H_
