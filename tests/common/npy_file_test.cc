#include "common/npy_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/files.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A file as numpy.save writes it: the header padded with spaces to a multiple
// of 64 bytes, with a line end as its last byte.
std::string NpyBytes(int version, const std::string& dictionary,
                     const std::string& values) {
  const size_t start = version == 1 ? 10 : 12;
  std::string header = dictionary;
  header.append(63 - (start + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY", 6);
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (size_t i = 0; i < start - 8; ++i) {
    bytes += static_cast<char>(header.size() >> (8 * i) & 255);
  }
  return bytes + header + values;
}

template <typename Value>
std::string Bytes(std::initializer_list<Value> values) {
  return {reinterpret_cast<const char*>(values.begin()),
          values.size() * sizeof(Value)};
}

class NpyFileTest : public ::testing::Test {
 protected:
  absl::StatusOr<NpyMatrix> Read(const std::string& bytes) {
    return ReadNpyMatrix(directory_.Write("matrix.npy", bytes));
  }
  void ExpectError(const std::string& bytes, absl::StatusCode code,
                   const std::string& text) {
    const auto matrix = Read(bytes);
    EXPECT_EQ(matrix.status().code(), code);
    EXPECT_THAT(std::string(matrix.status().message()), HasSubstr(text));
    EXPECT_THAT(std::string(matrix.status().message()),
                HasSubstr("matrix.npy"));
  }

  TempDirectory directory_;
};

TEST_F(NpyFileTest, ReadsFloat32) {
  const auto matrix = Read(
      NpyBytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
               Bytes<float>({1, 2, 3, 4, 5, -0.5f})));
  ASSERT_TRUE(matrix.ok()) << matrix.status();
  EXPECT_EQ(matrix->rows, 2u);
  EXPECT_EQ(matrix->columns, 3u);
  EXPECT_THAT(matrix->values, ElementsAre(1, 2, 3, 4, 5, -0.5f));
}

TEST_F(NpyFileTest, ReadsFloat64InFortranOrderOfVersionTwo) {
  const auto matrix = Read(
      NpyBytes(2, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
               Bytes<double>({1, 4, 2, 5, 3, 1e60})));
  ASSERT_TRUE(matrix.ok()) << matrix.status();
  EXPECT_THAT(matrix->values, ElementsAre(1, 2, 3, 4, 5, INFINITY));
}

TEST_F(NpyFileTest, RefusesOtherTypesAndSaysHowToConvert) {
  for (const char* dtype : {"'<i8'", "'>f4'", "[('x', '<f4')]"}) {
    ExpectError(NpyBytes(1,
                         std::string("{'descr': ") + dtype +
                             ", 'fortran_order': False, 'shape': (1, 1), }",
                         "12345678"),
                absl::StatusCode::kInvalidArgument, "array.astype('<f4')");
  }
}

TEST_F(NpyFileTest, RefusesOtherShapes) {
  for (const char* shape : {"()", "(4,)", "(1, 2, 2)"}) {
    ExpectError(NpyBytes(1,
                         std::string("{'descr': '<f4', 'fortran_order': False, "
                                     "'shape': ") +
                             shape + ", }",
                         Bytes<float>({1, 2, 3, 4})),
                absl::StatusCode::kInvalidArgument, "dimensions, not two");
  }
  ExpectError(NpyBytes(1,
                       "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, "
                       "2), }",
                       ""),
              absl::StatusCode::kInvalidArgument, "shape is not readable");
}

TEST_F(NpyFileTest, RefusesEveryLengthButTheRightOne) {
  const std::string whole =
      NpyBytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }",
               Bytes<float>({1, 2, 3, 4}));
  ASSERT_TRUE(Read(whole).ok());
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(Read(whole.substr(0, size)).ok()) << size;
  }
  ExpectError(whole.substr(0, whole.size() - 1), absl::StatusCode::kDataLoss,
              "has 15 bytes of values, which are not 2 rows of 2 numbers of 4 "
              "bytes each");
  ExpectError(whole + "x", absl::StatusCode::kDataLoss, "has 17 bytes");
}

TEST_F(NpyFileTest, RefusesOtherFiles) {
  ExpectError("2 2\na 1 2\nb 3 4\n", absl::StatusCode::kInvalidArgument,
              "is not a .npy file");
  EXPECT_EQ(ReadNpyMatrix(directory_ / "absent.npy").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(WriteNpyMatrix, ReadsWhatItWrote) {
  TempDirectory directory;
  const std::vector<float> values = {1, -2.5f, 3e-20f, 0, 5, 6};
  ASSERT_TRUE(WriteNpyMatrix(directory / "a.npy", values, 3).ok());
  const auto read = ReadNpyMatrix(directory / "a.npy");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->rows, 2u);
  EXPECT_EQ(read->columns, 3u);
  EXPECT_EQ(read->values, values);
}

TEST(WriteNpyMatrix, WritesTheBytesOfNumpySave) {
  TempDirectory directory;
  const std::vector<float> values = {1, 2};
  ASSERT_TRUE(WriteNpyMatrix(directory / "a.npy", values, 2).ok());
  EXPECT_EQ(*ReadFile(directory / "a.npy"),
            NpyBytes(1,
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (1, "
                     "2), }",
                     Bytes<float>({1, 2})));
}

}  // namespace
}  // namespace slice
