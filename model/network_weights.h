// The parameters of a network as plain arrays, and the options that their
// shapes imply.
#ifndef SLICE_MODEL_NETWORK_WEIGHTS_H_
#define SLICE_MODEL_NETWORK_WEIGHTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/network_options.h"

namespace slice {

struct NetworkWeight {
  std::vector<int64_t> shape;
  std::vector<float> values;  // row-major
};

class NetworkWeights {
 public:
  void Set(std::string name, NetworkWeight weight) {
    weights_[std::move(name)] = std::move(weight);
  }
  bool Has(std::string_view name) const { return weights_.contains(name); }
  const std::map<std::string, NetworkWeight, std::less<>>& all() const {
    return weights_;
  }
  // An empty weight when there is no such parameter.
  const NetworkWeight& Get(std::string_view name) const;
  // The size of a dimension; 0 when there is no such parameter or dimension.
  int64_t Dim(std::string_view name, size_t dimension) const;

  // The options of all networks of model/torch/network_definition.h whose
  // parameters have exactly these names and shapes. If there are several, they
  // differ only in the readout and projection of ScoreHead::kDot. Networks with
  // a graph convolution are left out. UNIMPLEMENTED when there is none.
  absl::StatusOr<std::vector<NetworkOptions>> MatchingOptions() const;

 private:
  bool Match(const NetworkOptions& options) const;

  std::map<std::string, NetworkWeight, std::less<>> weights_;
};

}  // namespace slice

#endif  // SLICE_MODEL_NETWORK_WEIGHTS_H_
