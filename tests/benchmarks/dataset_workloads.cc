#include "tests/benchmarks/dataset_workloads.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "graphstore/edge_list_import_options.h"
#include "graphstore/edge_list_importer.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

Workload ReadWorkload(const std::filesystem::path& directory,
                      size_t max_links) {
  EdgeListImportOptions options;
  options.train = directory / "train.txt";
  options.held_out = {directory / "test.txt"};
  if (std::filesystem::exists(directory / "nodes.tsv")) {
    options.nodes = directory / "nodes.tsv";
  }
  const auto imported = ImportEdgeList(options);
  if (!imported.ok()) {
    std::fprintf(stderr, "%s\n", imported.status().ToString().c_str());
    std::exit(1);
  }
  Workload workload{
      directory.filename().string(), BuildSnapshotOrDie(imported->data), {}};
  const auto& test = imported->held_out.front();
  const size_t count = std::min(max_links, test.size());
  for (size_t i = 0; i < count; ++i) {
    workload.links.push_back(test[i * test.size() / count].link);
  }
  return workload;
}

}  // namespace

std::filesystem::path TakeDataDirectory(int* argc, char** argv) {
  const char* environment = std::getenv("SLICE_DATASETS");
  std::filesystem::path directory = environment == nullptr ? "" : environment;
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    const std::string flag = argument.substr(0, equals);
    if (flag != "--data-dir" && flag != "--data_dir") {
      argv[kept++] = argv[i];
    } else if (equals != std::string::npos) {
      directory = argument.substr(equals + 1);
    } else if (i + 1 < *argc) {
      directory = argv[++i];
    }
  }
  *argc = kept;
  argv[kept] = nullptr;
  return directory;
}

bool TakeLarge(int* argc, char** argv) {
  char** const end = std::remove_if(argv + 1, argv + *argc, [](char* argument) {
    return std::string_view(argument) == "--large";
  });
  const bool found = end != argv + *argc;
  *argc = static_cast<int>(end - argv);
  return found;
}

std::vector<Workload> DatasetWorkloads(
    const std::filesystem::path& data_directory, size_t max_links) {
  std::vector<std::filesystem::path> directories;
  std::error_code error;
  if (!data_directory.empty()) {
    for (const auto& entry :
         std::filesystem::directory_iterator(data_directory, error)) {
      if (std::filesystem::exists(entry.path() / "train.txt") &&
          std::filesystem::exists(entry.path() / "test.txt")) {
        directories.push_back(entry.path());
      }
    }
  }
  if (directories.empty()) {
    std::fprintf(stderr,
                 "no data sets below '%s': give --data-dir or SLICE_DATASETS; "
                 "benchmarks on data sets are skipped\n",
                 data_directory.string().c_str());
  }
  std::sort(directories.begin(), directories.end());
  std::vector<Workload> workloads;
  for (const auto& directory : directories) {
    workloads.push_back(ReadWorkload(directory, max_links));
  }
  return workloads;
}

Workload HubWorkload(size_t max_links) {
  RandomMultigraphOptions options;
  options.nodes = 120000;
  options.links = 400000;
  options.hubs = 2;
  options.hub_rate = 0.5;
  const GraphData data = RandomMultigraph(options, 1);
  Workload workload{"hubs", BuildSnapshotOrDie(data), {}};
  for (size_t i = 0; i < max_links; ++i) {
    const Link& link = data.links[i * data.links.size() / max_links];
    const Link& other = data.links[(i * 7919 + 13) % data.links.size()];
    workload.links.push_back(
        i % 2 == 0 ? link : Link{link.source, link.relation, other.target});
  }
  return workload;
}

std::shared_ptr<const GraphSnapshot> UniformSnapshot(size_t nodes,
                                                     size_t links) {
  return BuildSnapshotOrDie(RandomMultigraph({.nodes = nodes,
                                              .links = links,
                                              .relations = 8,
                                              .hubs = 0,
                                              .isolated = 0,
                                              .hub_rate = 0,
                                              .self_loop_rate = 0,
                                              .repeat_rate = 0,
                                              .parallel_rate = 0,
                                              .reverse_rate = 0},
                                             1));
}

}  // namespace slice
