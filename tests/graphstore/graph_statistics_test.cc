#include "graphstore/graph_statistics.h"

#include <string>

#include "common/files.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GraphStatistics Sample() {
  GraphStatistics statistics;
  statistics.Set("scaling", {{2, 3}, {1, 2, 3, 4, 5, 6.5f}});
  statistics.Set("scalar", {{}, {-0.25f}});
  statistics.Set("empty", {{0, 7}, {}});
  return statistics;
}

class GraphStatisticsTest : public testing::Test {
 protected:
  std::string SavedBytes() {
    EXPECT_TRUE(Sample().Save(path_).ok());
    return *ReadFile(path_);
  }

  absl::Status LoadBytes(std::string_view bytes) {
    directory_.Write("statistics", bytes);
    return GraphStatistics::Load(path_).status();
  }

  // `bytes` followed by their checksum.
  static std::string Sealed(std::string bytes) {
    uint64_t checksum = HashBytes(bytes);
    bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
    return bytes;
  }

  const TempDirectory directory_;
  const std::filesystem::path path_ = directory_ / "statistics";
};

TEST_F(GraphStatisticsTest, ComesBackFromItsFile) {
  ASSERT_TRUE(Sample().Save(path_).ok());
  const auto loaded = GraphStatistics::Load(path_);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->arrays().size(), 3);
  const NamedArray* scaling = loaded->Get("scaling").value();
  EXPECT_THAT(scaling->shape, ElementsAre(2, 3));
  EXPECT_THAT(scaling->values, ElementsAre(1, 2, 3, 4, 5, 6.5f));
  EXPECT_THAT(loaded->Get("scalar").value()->values, ElementsAre(-0.25f));
  EXPECT_THAT(loaded->Get("empty").value()->values, IsEmpty());
}

TEST_F(GraphStatisticsTest, NoArraysIsAFileToo) {
  ASSERT_TRUE(GraphStatistics().Save(path_).ok());
  EXPECT_THAT(GraphStatistics::Load(path_)->arrays(), IsEmpty());
}

TEST_F(GraphStatisticsTest, SameArraysSameBytes) {
  const std::string first = SavedBytes();
  EXPECT_EQ(SavedBytes(), first);
}

TEST_F(GraphStatisticsTest, UnknownArrayIsNotFoundByName) {
  const auto array = Sample().Get("spectral").status();
  EXPECT_EQ(array.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(array.message()), HasSubstr("\"spectral\""));
}

TEST_F(GraphStatisticsTest, ShapeThatIsNotTheValuesIsRefused) {
  GraphStatistics statistics;
  statistics.Set("wrong", {{2, 2}, {1, 2, 3}});
  EXPECT_EQ(statistics.Save(path_).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(GraphStatisticsTest, EveryTruncationIsDataLoss) {
  const std::string bytes = SavedBytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_EQ(LoadBytes(bytes.substr(0, size)).code(),
              absl::StatusCode::kDataLoss)
        << size;
  }
}

TEST_F(GraphStatisticsTest, EveryChangedByteIsDataLoss) {
  const std::string bytes = SavedBytes();
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] ^= 0x20;
    ASSERT_EQ(LoadBytes(changed).code(), absl::StatusCode::kDataLoss) << i;
  }
}

// Files with the right checksum and malformed content.
TEST_F(GraphStatisticsTest, MalformedContentIsDataLoss) {
  const std::string bytes = SavedBytes();
  const std::string body = bytes.substr(0, bytes.size() - 8);
  EXPECT_TRUE(LoadBytes(Sealed(body)).ok());
  for (size_t size = 8; size < body.size(); ++size) {
    ASSERT_EQ(LoadBytes(Sealed(body.substr(0, size))).code(),
              absl::StatusCode::kDataLoss)
        << size;
  }
  EXPECT_EQ(LoadBytes(Sealed(body + "x")).code(), absl::StatusCode::kDataLoss);
  std::string version = body;
  version[8] = 9;
  EXPECT_THAT(std::string(LoadBytes(Sealed(version)).message()),
              HasSubstr("format version 9"));
}

TEST_F(GraphStatisticsTest, HugeShapeIsDataLossAndNotAnAllocation) {
  std::string bytes = SavedBytes();
  bytes.resize(bytes.size() - 8);
  // The first array is "empty" [0, 7]; its shape follows name, type and rank.
  const size_t shape = 8 + 4 + 4 + 4 + 5 + 4 + 4;
  for (size_t i = 0; i < 16; ++i) bytes[shape + i] = i % 8 == 7 ? 0x7F : 0xFF;
  EXPECT_EQ(LoadBytes(Sealed(bytes)).code(), absl::StatusCode::kDataLoss);
}

TEST_F(GraphStatisticsTest, MissingFileIsNotFound) {
  EXPECT_EQ(GraphStatistics::Load(directory_ / "none").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace slice
