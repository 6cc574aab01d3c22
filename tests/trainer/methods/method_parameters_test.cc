#include "trainer/methods/method_parameters.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

std::vector<MethodParameter> Parameters() {
  using P = MethodParameter;
  return {P::Whole("dim", 64, 1, 512, "numbers per node"),
          P::Number("rate", 0.1, 0, 1, ""),
          P::Word("norm", {"l2", "l1"}, "of the distance")};
}

absl::StatusOr<ParameterValues> Parse(std::vector<std::string> settings) {
  return ParameterValues::Parse(Parameters(), settings);
}

TEST(ParameterValuesTest, DefaultsHoldWhereNothingIsSet) {
  const auto values = Parse({"rate=0.5"});
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_EQ(values->Whole("dim"), 64);
  EXPECT_EQ(values->Number("rate"), 0.5);
  EXPECT_EQ(values->Word("norm"), "l2");
  EXPECT_EQ(values->ToString(), "dim=64 rate=0.5 norm=l2");
}

TEST(ParameterValuesTest, TheLastSettingCounts) {
  EXPECT_EQ(Parse({"dim=8", "norm=l1", "dim=16"})->ToString(),
            "dim=16 rate=0.1 norm=l1");
}

struct BadSetting {
  const char* setting;
  const char* complaint;
};

class BadSettings : public testing::TestWithParam<BadSetting> {};

TEST_P(BadSettings, NameTheValueAndTheWayOut) {
  const auto values = Parse({GetParam().setting});
  EXPECT_EQ(values.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(values.status().message()),
              HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadSettings,
    testing::Values(
        BadSetting{"dims=8",
                   "'dims=8' sets no parameter of this method; "
                   "give NAME=VALUE, with a name of dim, rate, norm"},
        BadSetting{"dim", "NAME=VALUE"},
        BadSetting{"dim=0",
                   "dim is '0'; it must be a whole number from 1 to "
                   "512"},
        BadSetting{"dim=2.5", "whole number"}, BadSetting{"dim=", "dim is ''"},
        BadSetting{"rate=nan", "rate is 'nan'"},
        BadSetting{"rate=1.01", "a number from 0 to 1"},
        BadSetting{"norm=l3", "norm is 'l3'; it must be one of l2, l1"}));

}  // namespace
}  // namespace slice
