#include "trainer/learning/gradient_optimizer.h"

#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>

namespace slice {
namespace {

template <typename Optimizer, typename Options>
class LibTorchOptimizer final : public GradientOptimizer {
 public:
  LibTorchOptimizer(const ParameterGroups& groups, const Options& options)
      : optimizer_(std::vector<torch::optim::OptimizerParamGroup>(
                       groups.begin(), groups.end()),
                   options) {}

  void SetRate(size_t group, double rate) override {
    static_cast<Options&>(optimizer_.param_groups()[group].options()).lr(rate);
  }
  void ClearGradients() override { optimizer_.zero_grad(); }
  void Step() override { optimizer_.step(); }

 private:
  Optimizer optimizer_;
};

}  // namespace

std::unique_ptr<GradientOptimizer> MakeAdam(const ParameterGroups& groups,
                                            double rate) {
  using Options = torch::optim::AdamOptions;
  return std::make_unique<LibTorchOptimizer<torch::optim::Adam, Options>>(
      groups, Options(rate));
}

std::unique_ptr<GradientOptimizer> MakeAdamW(const ParameterGroups& groups,
                                             double rate, double weight_decay) {
  using Options = torch::optim::AdamWOptions;
  return std::make_unique<LibTorchOptimizer<torch::optim::AdamW, Options>>(
      groups, Options(rate).weight_decay(weight_decay));
}

void ClipGradients(const std::vector<at::Tensor>& parameters, double norm) {
  torch::nn::utils::clip_grad_norm_(parameters, norm);
}

}  // namespace slice
