// Each public function is a torch::autograd::Function over the loops of
// trainer/methods/messages/arc_kernels.h and
// trainer/methods/messages/compose_kernels.h. forward() saves tensors with
// save_for_backward() and the addresses of blocks and indexes as integers; the
// caller keeps these objects alive until backward() has run. Gradients of
// arguments that are not tensors are undefined tensors.
//
// AT_DISPATCH_FLOATING_TYPES chooses float or double; double is used only to
// check gradients.
#include "trainer/methods/messages/message_functions.h"

#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>
#include <torch/csrc/autograd/custom_function.h>

#include "trainer/methods/messages/arc_kernels.h"

namespace slice {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Objects that backward() reads again are passed as addresses.
template <typename T>
int64_t AddressOf(const T* object) {
  return reinterpret_cast<int64_t>(object);
}
template <typename T>
const T& Saved(AutogradContext* context, const char* name) {
  return *reinterpret_cast<const T*>(context->saved_data[name].toInt());
}

ArcShape ShapeOf(const at::Tensor& weights, const at::Tensor& values,
                 bool shared_values) {
  ArcShape shape;
  shape.heads = static_cast<size_t>(weights.size(1));
  shape.value_heads = shared_values ? 1 : shape.heads;
  shape.width = static_cast<size_t>(values.size(1)) / shape.value_heads;
  return shape;
}

class SumMessagesFunction
    : public torch::autograd::Function<SumMessagesFunction> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& weights,
                            const at::Tensor& values, int64_t block_address,
                            bool shared_values) {
    const auto& block = *reinterpret_cast<const MessageBlock*>(block_address);
    const at::Tensor w = weights.contiguous(), v = values.contiguous();
    const ArcShape shape = ShapeOf(w, v, shared_values);
    at::Tensor sums =
        at::empty({static_cast<int64_t>(block.destination_count),
                   static_cast<int64_t>(shape.heads * shape.width)},
                  v.options());
    AT_DISPATCH_FLOATING_TYPES(v.scalar_type(), "SumMessages", [&] {
      SumArcs(block, shape, w.const_data_ptr<scalar_t>(),
              v.const_data_ptr<scalar_t>(), sums.data_ptr<scalar_t>());
    });
    context->save_for_backward({w, v});
    context->saved_data["block"] = block_address;
    context->saved_data["shared"] = shared_values;
    return sums;
  }

  static variable_list backward(AutogradContext* context,
                                variable_list gradients) {
    const auto& block = Saved<MessageBlock>(context, "block");
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &weights = saved[0], &values = saved[1];
    const ArcShape shape =
        ShapeOf(weights, values, context->saved_data["shared"].toBool());
    const at::Tensor gradient = gradients[0].contiguous();
    at::Tensor of_weights, of_values;
    AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "SumMessages", [&] {
      const auto* g = gradient.const_data_ptr<scalar_t>();
      if (context->needs_input_grad(0)) {
        of_weights = at::empty_like(weights);
        DotArcs(block, shape, g, values.const_data_ptr<scalar_t>(),
                of_weights.data_ptr<scalar_t>());
      }
      if (context->needs_input_grad(1)) {
        of_values = at::empty_like(values);
        SumArcsBack(block, shape, weights.const_data_ptr<scalar_t>(), g,
                    of_values.data_ptr<scalar_t>());
      }
    });
    return {of_weights, of_values, at::Tensor(), at::Tensor()};
  }
};

template <typename T>
ComposeArguments<T> ArgumentsOf(AutogradContext* context,
                                const variable_list& tensors) {
  const at::Tensor &weights = tensors[0], &values = tensors[1],
                   &labels = tensors[2];
  ComposeArguments<T> arguments;
  arguments.block = &Saved<MessageBlock>(context, "block");
  arguments.composition =
      static_cast<Composition>(context->saved_data["composition"].toInt());
  arguments.label_count = static_cast<size_t>(labels.size(0));
  arguments.width = static_cast<size_t>(values.size(1));
  arguments.weights = weights.const_data_ptr<T>();
  arguments.values = values.const_data_ptr<T>();
  arguments.labels = labels.const_data_ptr<T>();
  return arguments;
}

class SumComposedFunction
    : public torch::autograd::Function<SumComposedFunction> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& weights,
                            const at::Tensor& values, const at::Tensor& labels,
                            int64_t block_address, int64_t composition) {
    const variable_list tensors = {weights.contiguous(), values.contiguous(),
                                   labels.contiguous()};
    context->save_for_backward(tensors);
    context->saved_data["block"] = block_address;
    context->saved_data["composition"] = composition;
    const auto& block = Saved<MessageBlock>(context, "block");
    at::Tensor sums =
        at::empty({static_cast<int64_t>(block.destination_count),
                   static_cast<int64_t>(kDirections) * values.size(1)},
                  values.options());
    AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "SumComposed", [&] {
      SumComposed(ArgumentsOf<scalar_t>(context, tensors),
                  sums.data_ptr<scalar_t>());
    });
    return sums;
  }

  static variable_list backward(AutogradContext* context,
                                variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor gradient = gradients[0].contiguous();
    at::Tensor of_values = at::empty_like(saved[1]);
    at::Tensor of_labels = at::empty_like(saved[2]);
    AT_DISPATCH_FLOATING_TYPES(gradient.scalar_type(), "SumComposed", [&] {
      auto arguments = ArgumentsOf<scalar_t>(context, saved);
      arguments.gradients = gradient.const_data_ptr<scalar_t>();
      SumComposedBackValues(arguments, of_values.data_ptr<scalar_t>());
      SumComposedBackLabels(arguments, of_labels.data_ptr<scalar_t>());
    });
    return {at::Tensor(), of_values, of_labels, at::Tensor(), at::Tensor()};
  }
};

class SoftmaxFunction : public torch::autograd::Function<SoftmaxFunction> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& scores,
                            int64_t block_address) {
    const auto& block = *reinterpret_cast<const MessageBlock*>(block_address);
    const at::Tensor s = scores.contiguous();
    at::Tensor shares = at::empty_like(s);
    AT_DISPATCH_FLOATING_TYPES(s.scalar_type(), "SoftmaxOfArcs", [&] {
      SoftmaxArcs(block, static_cast<size_t>(s.size(1)),
                  s.const_data_ptr<scalar_t>(), shares.data_ptr<scalar_t>());
    });
    context->save_for_backward({shares});
    context->saved_data["block"] = block_address;
    return shares;
  }

  static variable_list backward(AutogradContext* context,
                                variable_list gradients) {
    const auto& block = Saved<MessageBlock>(context, "block");
    const at::Tensor shares = context->get_saved_variables()[0];
    const at::Tensor gradient = gradients[0].contiguous();
    at::Tensor of_scores = at::empty_like(shares);
    AT_DISPATCH_FLOATING_TYPES(shares.scalar_type(), "SoftmaxOfArcs", [&] {
      SoftmaxArcsBack(block, static_cast<size_t>(shares.size(1)),
                      shares.const_data_ptr<scalar_t>(),
                      gradient.const_data_ptr<scalar_t>(),
                      of_scores.data_ptr<scalar_t>());
    });
    return {of_scores, at::Tensor()};
  }
};

class DotArcEndsFunction
    : public torch::autograd::Function<DotArcEndsFunction> {
 public:
  static at::Tensor forward(AutogradContext* context,
                            const at::Tensor& destinations,
                            const at::Tensor& sources, int64_t block_address,
                            int64_t heads) {
    const auto& block = *reinterpret_cast<const MessageBlock*>(block_address);
    const at::Tensor d = destinations.contiguous(), s = sources.contiguous();
    at::Tensor dots = at::empty(
        {static_cast<int64_t>(block.arc_count()), heads}, s.options());
    AT_DISPATCH_FLOATING_TYPES(s.scalar_type(), "DotArcEnds", [&] {
      DotArcs(block, ShapeOf(dots, s, false), d.const_data_ptr<scalar_t>(),
              s.const_data_ptr<scalar_t>(), dots.data_ptr<scalar_t>());
    });
    context->save_for_backward({d, s});
    context->saved_data["block"] = block_address;
    return dots;
  }

  static variable_list backward(AutogradContext* context,
                                variable_list gradients) {
    const auto& block = Saved<MessageBlock>(context, "block");
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &destinations = saved[0], &sources = saved[1];
    const at::Tensor gradient = gradients[0].contiguous();
    const ArcShape shape = ShapeOf(gradient, sources, false);
    at::Tensor of_destinations = at::empty_like(destinations);
    at::Tensor of_sources = at::empty_like(sources);
    AT_DISPATCH_FLOATING_TYPES(sources.scalar_type(), "DotArcEnds", [&] {
      const auto* g = gradient.const_data_ptr<scalar_t>();
      SumArcs(block, shape, g, sources.const_data_ptr<scalar_t>(),
              of_destinations.data_ptr<scalar_t>());
      SumArcsBack(block, shape, g, destinations.const_data_ptr<scalar_t>(),
                  of_sources.data_ptr<scalar_t>());
    });
    return {of_destinations, of_sources, at::Tensor(), at::Tensor()};
  }
};

at::Tensor IndexTensor(std::span<const uint32_t> index) {
  return at::from_blob(const_cast<uint32_t*>(index.data()),
                       {static_cast<int64_t>(index.size())}, at::kInt);
}

class TakeRowsFunction : public torch::autograd::Function<TakeRowsFunction> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& table,
                            int64_t address, int64_t size) {
    const std::span<const uint32_t> index(
        reinterpret_cast<const uint32_t*>(address), static_cast<size_t>(size));
    context->saved_data["index"] = address;
    context->saved_data["size"] = size;
    context->saved_data["rows"] = table.size(0);
    return table.index_select(0, IndexTensor(index));
  }

  static variable_list backward(AutogradContext* context,
                                variable_list gradients) {
    const std::span<const uint32_t> index(
        &Saved<uint32_t>(context, "index"),
        static_cast<size_t>(context->saved_data["size"].toInt()));
    const int64_t rows = context->saved_data["rows"].toInt();
    const at::Tensor gradient = gradients[0].contiguous();
    const int64_t width = gradient.size(1);
    at::Tensor of_table = at::empty({rows, width}, gradient.options());
    AT_DISPATCH_FLOATING_TYPES(gradient.scalar_type(), "TakeRows", [&] {
      AddRowsByIndex(
          index, static_cast<size_t>(rows), static_cast<size_t>(width),
          gradient.const_data_ptr<scalar_t>(), of_table.data_ptr<scalar_t>());
    });
    return {of_table, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor SumMessages(const MessageBlock& block, const at::Tensor& weights,
                       const at::Tensor& values, bool shared_values) {
  return SumMessagesFunction::apply(weights, values, AddressOf(&block),
                                    shared_values);
}

at::Tensor SumComposedMessages(const MessageBlock& block,
                               Composition composition,
                               const at::Tensor& weights,
                               const at::Tensor& values,
                               const at::Tensor& labels) {
  return SumComposedFunction::apply(weights, values, labels, AddressOf(&block),
                                    static_cast<int64_t>(composition));
}

at::Tensor SoftmaxOfArcs(const MessageBlock& block, const at::Tensor& scores) {
  return SoftmaxFunction::apply(scores, AddressOf(&block));
}

at::Tensor DotArcEnds(const MessageBlock& block, const at::Tensor& destinations,
                      const at::Tensor& sources, int64_t heads) {
  return DotArcEndsFunction::apply(destinations, sources, AddressOf(&block),
                                   heads);
}

at::Tensor TakeRows(const at::Tensor& table, std::span<const uint32_t> index) {
  return TakeRowsFunction::apply(table, AddressOf(index.data()),
                                 static_cast<int64_t>(index.size()));
}

at::Tensor TensorLike(const at::Tensor& like, std::span<const float> values) {
  return at::from_blob(const_cast<float*>(values.data()),
                       {static_cast<int64_t>(values.size())}, at::kFloat)
      .to(like.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
}

}  // namespace slice
