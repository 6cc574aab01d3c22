// A parameter that the source of a network names.
#ifndef SLICE_MODEL_TORCH_PARAMETER_SPEC_H_
#define SLICE_MODEL_TORCH_PARAMETER_SPEC_H_

#include <cstdint>
#include <string>
#include <vector>

namespace slice {

// The values that a parameter has before training. kUniformFanIn: uniform with
// variance 1 / (number of inputs). kNormal: normal, standard deviation 0.02.
enum class ParameterInit { kUniformFanIn, kNormal, kZero, kOne };

struct ParameterSpec {
  std::string name;
  std::vector<int64_t> shape;
  ParameterInit init = ParameterInit::kUniformFanIn;
  bool trained = true;  // if false, the parameter keeps its first value
};

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_PARAMETER_SPEC_H_
