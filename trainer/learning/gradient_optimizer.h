// LibTorch's optimizers behind one interface. Their headers take long to
// compile, so only gradient_optimizer.cc includes them.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_LEARNING_GRADIENT_OPTIMIZER_H_
#define SLICE_TRAINER_LEARNING_GRADIENT_OPTIMIZER_H_

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace slice {

// Changes parameters by their gradients. Thread-compatible. Throws c10::Error.
class GradientOptimizer {
 public:
  virtual ~GradientOptimizer() = default;

  // Sets the learning rate of one group, from the next step on.
  virtual void SetRate(size_t group, double rate) = 0;
  virtual void ClearGradients() = 0;
  virtual void Step() = 0;
};

// The parameters of a group share a learning rate.
using ParameterGroups = std::vector<std::vector<at::Tensor>>;

// Adam (Kingma and Ba, ICLR 2015) with LibTorch's default decays of the
// moments.
std::unique_ptr<GradientOptimizer> MakeAdam(const ParameterGroups& groups,
                                            double rate);
// Adam with decoupled weight decay (Loshchilov and Hutter, ICLR 2019): each
// step also multiplies the parameters by 1 - weight_decay * learning rate.
std::unique_ptr<GradientOptimizer> MakeAdamW(const ParameterGroups& groups,
                                             double rate, double weight_decay);

// If the Euclidean norm of all gradients together exceeds `norm`, multiplies
// them by one factor that makes it `norm`.
void ClipGradients(const std::vector<at::Tensor>& parameters, double norm);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_GRADIENT_OPTIMIZER_H_
