#include "graphstore/node_attributes.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A .npy file of float32, version 1.
std::string NpyBytes(size_t rows, size_t columns,
                     const std::vector<float>& values) {
  std::string header =
      absl::StrCat("{'descr': '<f4', 'fortran_order': False, 'shape': (", rows,
                   ", ", columns, "), }");
  header.resize(117, ' ');
  header.push_back('\n');
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.push_back(static_cast<char>(header.size()));
  bytes.push_back('\0');
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()),
               values.size() * sizeof(float));
  return bytes;
}

TEST(StandardizeAttributesTest, MeanIsZeroAndDeviationOne) {
  Random random(3);
  NodeAttributes attributes{{"a", "b"}, {}};
  for (int node = 0; node < 500; ++node) {
    attributes.values.push_back(static_cast<float>(random.Uniform() * 7 + 100));
    attributes.values.push_back(node % 5 == 0 ? kNan
                                              : static_cast<float>(node % 7));
  }
  const auto table = StandardizeAttributes(attributes);
  ASSERT_TRUE(table.ok()) << table.status();
  ASSERT_EQ(table->columns.size(), 3);
  EXPECT_EQ(table->columns[2].name, "missing b");
  for (size_t column = 0; column < 2; ++column) {
    double sum = 0, squares = 0;
    int count = 0;
    for (int node = 0; node < 500; ++node) {
      const float value = table->values[node * 3 + column];
      const float given = attributes.values[node * 2 + column];
      if (std::isnan(given)) {
        EXPECT_EQ(value, 0);
        EXPECT_EQ(table->values[node * 3 + 2], 1);
        continue;
      }
      EXPECT_NEAR(value * table->columns[column].deviation +
                      table->columns[column].mean,
                  given, 1e-3);
      sum += value;
      squares += value * value;
      ++count;
    }
    EXPECT_NEAR(sum / count, 0, 1e-4);
    EXPECT_NEAR(squares / count, 1, 1e-4);
  }
}

TEST(StandardizeAttributesTest, AttributesMissingTogetherShareAColumn) {
  const auto table = StandardizeAttributes(
      {{"a", "b", "c"}, {1, 2, 3, kNan, kNan, 4, 5, 6, kNan}});
  ASSERT_TRUE(table.ok());
  ASSERT_EQ(table->columns.size(), 5);
  EXPECT_EQ(table->columns[3].name, "missing a ...");
  EXPECT_EQ(table->columns[4].name, "missing c");
  EXPECT_THAT(table->values,
              ElementsAre(-1, -1, -1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1));
}

TEST(StandardizeAttributesTest, OutliersAreClipped) {
  NodeAttributes attributes{{"a"}, std::vector<float>(10000, 0.0f)};
  attributes.values[0] = 1e20f;
  const auto table = StandardizeAttributes(attributes);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->values[0], kMostDeviations);
}

TEST(StandardizeAttributesTest, AnAttributeOfNoNodeIsNamed) {
  const auto table = StandardizeAttributes({{"a", "age"}, {1, kNan, 2, kNan}});
  EXPECT_EQ(table.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(table.status().message(),
            "no node has a value of the attribute age; leave this attribute "
            "out");
}

TEST(StandardizeAttributesTest, OneValueForAllIsZeros) {
  const auto table = StandardizeAttributes({{"a", "b"}, {1, 0.1f, 2, 0.1f}});
  ASSERT_TRUE(table.ok());
  EXPECT_THAT(table->values, ElementsAre(-1, 0, 1, 0));
}

class AttributeMatrixTest : public testing::Test {
 protected:
  AttributeMatrixTest() {
    for (const char* key : {"x", "y", "z"})
      catalogue_.nodes.push_back({key, key, 0});
  }
  std::string Error(const std::filesystem::path& path) {
    return std::string(
        ReadAttributeMatrix(path, catalogue_).status().message());
  }

  const TempDirectory directory_;
  GraphCatalogue catalogue_;
};

TEST_F(AttributeMatrixTest, RowsAreNodesInTheirOrder) {
  const auto path =
      directory_.Write("words.npy", NpyBytes(3, 2, {1, 2, 3, kNan, 5, 6}));
  const auto attributes = ReadAttributeMatrix(path, catalogue_);
  ASSERT_TRUE(attributes.ok()) << attributes.status();
  EXPECT_THAT(attributes->names, ElementsAre("words.0", "words.1"));
  EXPECT_EQ(attributes->values[4], 5);
  EXPECT_TRUE(std::isnan(attributes->values[3]));
}

TEST_F(AttributeMatrixTest, KeysSayWhoseRowsTheyAre) {
  const auto path = directory_.Write("w.npy", NpyBytes(3, 1, {1, 2, 3}));
  directory_.Write("w.keys", "z\nnobody\nx\n");
  const auto attributes = ReadAttributeMatrix(path, catalogue_);
  ASSERT_TRUE(attributes.ok()) << attributes.status();
  EXPECT_EQ(attributes->values[0], 3);
  EXPECT_TRUE(std::isnan(attributes->values[1]));
  EXPECT_EQ(attributes->values[2], 1);
}

TEST_F(AttributeMatrixTest, AKeyThatBeginsAsACommentIsInQuotes) {
  catalogue_.nodes[1].key = "#y";
  catalogue_.nodes[2].key = "\"z\"";
  const auto path = directory_.Write("w.npy", NpyBytes(3, 1, {1, 2, 3}));
  directory_.Write("w.keys", "# keys\n\"#y\"\n\"z\"\n\"x\"\n");
  const auto attributes = ReadAttributeMatrix(path, catalogue_);
  ASSERT_TRUE(attributes.ok()) << attributes.status();
  EXPECT_THAT(attributes->values, ElementsAre(3, 1, 2));
}

TEST_F(AttributeMatrixTest, MistakesAreNamed) {
  const auto path = directory_.Write("w.npy", NpyBytes(2, 1, {1, 2}));
  EXPECT_THAT(Error(path), HasSubstr("w.npy has 2 rows for 3 nodes; write the "
                                     "key of each row to "));
  directory_.Write("w.keys", "x\n");
  EXPECT_THAT(Error(path), HasSubstr("w.keys holds 1 keys for 2 rows"));
  directory_.Write("w.keys", "x\nx\n");
  EXPECT_THAT(Error(path), HasSubstr("w.keys:2:1: the key \"x\" occurs twice"));
  const auto infinite =
      directory_.Write("i.npy", NpyBytes(3, 1, {1, INFINITY, 2}));
  EXPECT_THAT(Error(infinite), HasSubstr("i.npy, row 2: number 1 is infinite"));
}

TEST(AppendAttributesTest, PutsColumnsSideBySide) {
  NodeAttributes attributes{{"a"}, {1, 2}};
  ASSERT_TRUE(
      AppendAttributes({{"b", "c"}, {3, 4, 5, 6}}, 2, &attributes).ok());
  EXPECT_THAT(attributes.names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(attributes.values, ElementsAre(1, 3, 4, 2, 5, 6));
  EXPECT_EQ(AppendAttributes({{"b"}, {1, 2}}, 2, &attributes).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace slice
