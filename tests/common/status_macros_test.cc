#include "common/status_macros.h"

#include <memory>

#include "gtest/gtest.h"

namespace slice {
namespace {

absl::StatusOr<std::unique_ptr<int>> Half(int value) {
  if (value % 2 != 0) return absl::InvalidArgumentError("odd");
  return std::make_unique<int>(value / 2);
}

absl::StatusOr<int> Quarter(int value) {
  SLICE_ASSIGN_OR_RETURN(const std::unique_ptr<int> half, Half(value));
  SLICE_ASSIGN_OR_RETURN(std::unique_ptr<int> quarter, Half(*half));
  return *quarter;
}

absl::Status CheckQuarter(int value, bool* reached) {
  SLICE_RETURN_IF_ERROR(Quarter(value).status());
  *reached = true;
  return absl::OkStatus();
}

TEST(StatusMacrosTest, PassValuesOn) {
  bool reached = false;
  EXPECT_EQ(Quarter(8).value(), 2);
  EXPECT_TRUE(CheckQuarter(8, &reached).ok());
  EXPECT_TRUE(reached);
}

TEST(StatusMacrosTest, ReturnTheFirstError) {
  bool reached = false;
  EXPECT_EQ(Quarter(6).status(), absl::InvalidArgumentError("odd"));
  EXPECT_EQ(CheckQuarter(3, &reached), absl::InvalidArgumentError("odd"));
  EXPECT_FALSE(reached);
}

}  // namespace
}  // namespace slice
