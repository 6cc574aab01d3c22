#include "trainer/methods/messages/typed_rows.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>

namespace slice {
namespace {

at::Tensor CopyOf(const std::vector<int64_t>& values) {
  return at::from_blob(const_cast<int64_t*>(values.data()),
                       {static_cast<int64_t>(values.size())}, at::kLong)
      .clone();
}

}  // namespace

TypedRows::TypedRows(std::span<const uint32_t> types, size_t type_count) {
  std::vector<std::vector<int64_t>> rows(type_count);
  for (size_t i = 0; i < types.size(); ++i) {
    rows[types[i]].push_back(static_cast<int64_t>(i));
  }
  std::vector<int64_t> place(types.size());
  int64_t next = 0;
  for (const std::vector<int64_t>& of_type : rows) {
    for (const int64_t row : of_type) place[static_cast<size_t>(row)] = next++;
    positions_.push_back(CopyOf(of_type));
  }
  place_ = CopyOf(place);
  types_ = CopyOf(std::vector<int64_t>(types.begin(), types.end()));
}

at::Tensor TypedRows::Multiply(const at::Tensor& values,
                               const at::Tensor& matrices) const {
  if (positions_.size() == 1) return at::mm(values, matrices);
  const int64_t width = values.size(1);
  std::vector<at::Tensor> products;
  for (size_t type = 0; type < positions_.size(); ++type) {
    products.push_back(
        at::mm(values.index_select(0, positions_[type]),
               matrices.narrow(0, static_cast<int64_t>(type) * width, width)));
  }
  return at::cat(products).index_select(0, place_);
}

at::Tensor TypedRows::Take(const at::Tensor& table) const {
  return table.index_select(0, types_);
}

}  // namespace slice
