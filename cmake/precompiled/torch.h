// LibTorch's headers for tensors and TorchScript modules, precompiled once for
// all sources that use LibTorch. Headers that few sources use, such as those of
// optimizers, are not here.
#ifndef SLICE_CMAKE_PRECOMPILED_TORCH_H_
#define SLICE_CMAKE_PRECOMPILED_TORCH_H_

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include "cmake/precompiled/base.h"

#endif  // SLICE_CMAKE_PRECOMPILED_TORCH_H_
