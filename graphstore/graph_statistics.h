// Named arrays derived from the training graph, such as feature scaling, slot
// tables, slot profiles, rules and spectral factors. The trainer makes them,
// the bundle holds them in tensors/statistics.bin and context/ reads them.
#ifndef SLICE_GRAPHSTORE_GRAPH_STATISTICS_H_
#define SLICE_GRAPHSTORE_GRAPH_STATISTICS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

struct NamedArray {
  std::vector<int64_t> shape;
  std::vector<float> values;  // row-major, product(shape) values
};

// Thread-compatible; constant once loaded.
class GraphStatistics {
 public:
  void Set(std::string name, NamedArray array) {
    arrays_[std::move(name)] = std::move(array);
  }

  void Remove(std::string_view name) {
    if (const auto at = arrays_.find(name); at != arrays_.end()) {
      arrays_.erase(at);
    }
  }

  // NOT_FOUND when there is no such array, naming it.
  absl::StatusOr<const NamedArray*> Get(std::string_view name) const;

  const std::map<std::string, NamedArray, std::less<>>& arrays() const {
    return arrays_;
  }

  // Write and read one file, whose format is described in
  // graphstore/graph_statistics.cc. Load returns DATA_LOSS for a malformed
  // file.
  absl::Status Save(const std::filesystem::path& path) const;
  static absl::StatusOr<GraphStatistics> Load(
      const std::filesystem::path& path);

 private:
  std::map<std::string, NamedArray, std::less<>> arrays_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_STATISTICS_H_
