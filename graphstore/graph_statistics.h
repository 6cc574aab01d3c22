// Named arrays derived from the training graph (feature scaling today; slot
// matrices, spectral factors and profiles later). Made by the trainer, kept in
// the bundle's tensors/, read by context/.
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

  // NOT_FOUND, naming the array.
  absl::StatusOr<const NamedArray*> Get(std::string_view name) const;

  const std::map<std::string, NamedArray, std::less<>>& arrays() const {
    return arrays_;
  }

  // One file; its format is described in graph_statistics.cc. DATA_LOSS when
  // malformed.
  absl::Status Save(const std::filesystem::path& path) const;
  static absl::StatusOr<GraphStatistics> Load(
      const std::filesystem::path& path);

 private:
  std::map<std::string, NamedArray, std::less<>> arrays_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_STATISTICS_H_
