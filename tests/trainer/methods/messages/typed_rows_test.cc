#include "trainer/methods/messages/typed_rows.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <vector>

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(TypedRowsTest, EachRowMeetsTheMatrixOfItsType) {
  at::manual_seed(1);
  const std::vector<uint32_t> types = {2, 0, 2, 2, 0};  // none of type 1
  const TypedRows rows(types, 3);
  const at::Tensor values = at::randn({5, 4}), matrices = at::randn({12, 2});
  const at::Tensor products = rows.Multiply(values, matrices);
  const at::Tensor table = at::randn({3, 2});
  const at::Tensor taken = rows.Take(table);
  for (int64_t i = 0; i < 5; ++i) {
    const int64_t type = types[static_cast<size_t>(i)];
    EXPECT_TRUE(at::allclose(
        products.narrow(0, i, 1),
        at::mm(values.narrow(0, i, 1), matrices.narrow(0, 4 * type, 4)), 1e-5,
        1e-6));
    EXPECT_TRUE(at::equal(taken[i], table[type]));
  }
}

}  // namespace
}  // namespace slice
