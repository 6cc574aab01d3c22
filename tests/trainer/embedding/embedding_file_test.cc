#include "trainer/embedding/embedding_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "common/table/text_output.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename Value>
std::string Bytes(std::initializer_list<Value> values) {
  return {reinterpret_cast<const char*>(values.begin()),
          values.size() * sizeof(Value)};
}

std::string Npy(const std::string& shape, const std::string& values) {
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + values;
}

// Three nodes: "a" and "c d" of one type, "b" of another.
class EmbeddingFileTest : public ::testing::Test {
 protected:
  EmbeddingFileTest() {
    GraphData data;
    data.catalogue.node_types = {"x", "y"};
    data.catalogue.relations = {"link"};
    data.catalogue.nodes = {{"a", "", 0}, {"b", "", 1}, {"c d", "", 0}};
    data.links = {{0, 0, 1}};
    snapshot_ = BuildSnapshotOrDie(data);
  }

  absl::StatusOr<FileEmbeddings> Read(std::string_view name,
                                      const std::string& bytes) {
    options_.path = directory_.Write(name, bytes);
    return ReadEmbeddingFile(options_, *snapshot_);
  }

  void ExpectVectors(std::string_view name, const std::string& bytes) {
    const auto embeddings = Read(name, bytes);
    ASSERT_TRUE(embeddings.ok()) << embeddings.status();
    EXPECT_EQ(embeddings->dim, 2);
    EXPECT_THAT(embeddings->values, ElementsAre(1, 2, 3, 4, 5, -6.5f));
    EXPECT_EQ(embeddings->missing_nodes, 0u);
  }

  void ExpectError(std::string_view name, const std::string& bytes,
                   absl::StatusCode code, const std::string& text) {
    const auto embeddings = Read(name, bytes);
    EXPECT_EQ(embeddings.status().code(), code);
    const std::string message(embeddings.status().message());
    EXPECT_THAT(message, HasSubstr(text));
    EXPECT_THAT(message, HasSubstr(std::string(name)));
  }

  void ExpectInvalid(std::string_view name, const std::string& bytes,
                     const std::string& text) {
    ExpectError(name, bytes, absl::StatusCode::kInvalidArgument, text);
  }

  TempDirectory directory_;
  std::shared_ptr<const GraphSnapshot> snapshot_;
  EmbeddingFileOptions options_;
};

TEST_F(EmbeddingFileTest, ReadsTextByKeyInAnyOrder) {
  ExpectVectors("v.txt", "3 2\nb 3 4\nc d 5 -6.5\na 1 +2\n");
  ExpectVectors("v.vec", "3 2\r\nb\t3\t4\r\nc d\t5 -65e-1 \r\n\r\na 1 2");
}

TEST_F(EmbeddingFileTest, ReadsBinaryWithAndWithoutLineEnds) {
  options_.fill_missing = true;  // keys with spaces do not fit the format
  for (const std::string end : {"", "\n"}) {
    const auto embeddings =
        Read("v.bin", "3 2\n</s> " + Bytes<float>({7, 7}) + end + "b " +
                          Bytes<float>({3, 4}) + end + "a " +
                          Bytes<float>({1, 2}) + end);
    ASSERT_TRUE(embeddings.ok()) << embeddings.status();
    EXPECT_THAT(embeddings->values, ElementsAre(1, 2, 3, 4, 1, 2));
    EXPECT_EQ(embeddings->unknown_rows, 1u);
  }
}

TEST_F(EmbeddingFileTest, ReadsCompressedText) {
  options_.path = directory_ / "v.txt.gz";
  const auto output = TextOutput::Create(options_.path);
  ASSERT_TRUE(output.ok()) << output.status();
  (*output)->Append("3 1\na 1\nb 2\nc d 3\n");
  ASSERT_TRUE((*output)->Commit().ok());
  const auto embeddings = ReadEmbeddingFile(options_, *snapshot_);
  ASSERT_TRUE(embeddings.ok()) << embeddings.status();
  EXPECT_THAT(embeddings->values, ElementsAre(1, 2, 3));
}

TEST_F(EmbeddingFileTest, ReadsNpyInTheOrderOfNodes) {
  ExpectVectors("v.npy", Npy("(3, 2)", Bytes<float>({1, 2, 3, 4, 5, -6.5f})));
}

TEST_F(EmbeddingFileTest, ReadsNpyByKey) {
  const std::string npy =
      Npy("(4, 2)", Bytes<float>({5, -6.5f, 9, 9, 1, 2, 3, 4}));
  directory_.Write("v.keys", "c d\nunknown\r\na\nb");
  ExpectVectors("v.npy", npy);
  options_.keys = directory_.Write("other.txt", "c d\nunknown\na\nb\n");
  directory_.Write("v.keys", "");
  ExpectVectors("v.npy", npy);
}

TEST_F(EmbeddingFileTest, CountsRowsOfNoNode) {
  const auto embeddings = Read("v", "4 1\na 1\nb 2\nc d 3\n</s> 4\n");
  ASSERT_TRUE(embeddings.ok()) << embeddings.status();
  EXPECT_EQ(embeddings->unknown_rows, 1u);
}

TEST_F(EmbeddingFileTest, FillsMissingNodesWhenAsked) {
  options_.fill_missing = true;
  const auto embeddings = Read("v", "2 2\na 1 2\nb 3 4\n");
  ASSERT_TRUE(embeddings.ok()) << embeddings.status();
  EXPECT_EQ(embeddings->missing_nodes, 1u);
  EXPECT_THAT(embeddings->values, ElementsAre(1, 2, 3, 4, 1, 2));
}

TEST_F(EmbeddingFileTest, RefusesMissingNodesByName) {
  ExpectInvalid("v", "1 2\nb 3 4\n",
                "has no row for 2 of 3 nodes, such as 'a', 'c d'; add rows for "
                "them, or set --fill-missing-embeddings");
  options_.fill_missing = true;
  ExpectInvalid("v", "1 2\nz 3 4\n",
                "none of its 1 keys is a node key such as 'a'");
}

TEST_F(EmbeddingFileTest, RefusesRowsOfAnotherLength) {
  ExpectInvalid(
      "v", "3 2\na 1 2\nb 3\nc d 5 6\n",
      "line 3: it has 1 numbers after its key, but the first line of the file "
      "announces 2");
  ExpectInvalid("v", "3 2\na 1 2 3\nb 3 4\nc d 5 6\n",
                "line 2: it has 3 numbers after its key");
}

TEST_F(EmbeddingFileTest, RefusesWhatIsNoFiniteNumber) {
  ExpectInvalid("v", "3 2\na 1 2\nb 3 nan\nc d 5 6\n",
                "line 3: number 2 of 'b' is nan");
  ExpectInvalid("v", "3 2\na 1 2\nb 1e39 3\nc d 5 6\n",
                "line 3: number 1 of 'b' is inf");
  ExpectInvalid("v", "3 2\na 1 2\nb x 3\nc d 5 6\n",
                "line 3: number 1 of 'b' is 'x', which is not a number");
  ExpectInvalid("v.bin",
                "2 2\na " + Bytes<float>({1, 2}) + "b " +
                    Bytes<float>({3, std::numeric_limits<float>::quiet_NaN()}),
                "row 2: number 2 of 'b' is nan");
  ExpectInvalid("v.npy", Npy("(3, 1)", Bytes<float>({1, INFINITY, 3})),
                "row 2: number 1 of 'b' is inf");
}

TEST_F(EmbeddingFileTest, RefusesASecondRowOfANode) {
  ExpectInvalid("v", "3 1\na 1\nb 2\na 3\n", "line 4: 'a' already has line 2;");
}

TEST_F(EmbeddingFileTest, RefusesFewerOrMoreRowsThanAnnounced) {
  ExpectError("v", "4 1\na 1\nb 2\nc d 3\n", absl::StatusCode::kDataLoss,
              "has 3 rows, but its first line announces 4; it may have");
  ExpectError("v", "2 1\na 1\nb 2\nc d 3\n", absl::StatusCode::kDataLoss,
              "has 3 rows, but its first line announces 2");
  const std::string binary =
      "2 2\na " + Bytes<float>({1, 2}) + "b " + Bytes<float>({3, 4});
  for (size_t size = 4; size < binary.size(); ++size) {
    ExpectError("v.bin", binary.substr(0, size), absl::StatusCode::kDataLoss,
                "cut short");
  }
  ExpectError("v.bin", binary + "c", absl::StatusCode::kDataLoss, "goes on");
}

TEST_F(EmbeddingFileTest, RefusesAFirstLineThatAnnouncesNothing) {
  for (const char* text : {"", "a 1 2\n", "3\n", "3 2 1\n", "3 x\n"}) {
    ExpectInvalid("v", text, "line 1: '");
  }
  ExpectInvalid("v", "3 0\n", "they must have from 1 to 4096");
}

TEST_F(EmbeddingFileTest, RefusesAnotherDimThanAskedFor) {
  options_.dim = 3;
  ExpectInvalid("v", "1 2\na 1 2\n",
                "has vectors of 2 numbers, but --dim is 3");
}

TEST_F(EmbeddingFileTest, RefusesNpyWithoutAKeyForEachRow) {
  ExpectInvalid("v.npy", Npy("(2, 1)", Bytes<float>({1, 2})),
                "has 2 rows for 3 nodes; name a file with the key of each row, "
                "one per line, with --embedding-keys");
  directory_.Write("v.keys", "a\nb\n");
  ExpectError("v.npy", Npy("(3, 1)", Bytes<float>({1, 2, 3})),
              absl::StatusCode::kDataLoss,
              "has 3 rows, but its file of keys has 2");
  directory_.Write("v.keys", "a\nb\nc d\nz\n");
  ExpectError("v.npy", Npy("(3, 1)", Bytes<float>({1, 2, 3})),
              absl::StatusCode::kDataLoss,
              "has 3 rows, but its file of keys has 4");
}

TEST_F(EmbeddingFileTest, RefusesKeysForFilesThatHoldThem) {
  options_.keys = "keys.txt";
  ExpectInvalid("v", "1 1\na 1\n", "--embedding-keys is for .npy files");
}

TEST_F(EmbeddingFileTest, ReportsAFileThatIsNotThere) {
  options_.path = directory_ / "absent.txt";
  EXPECT_EQ(ReadEmbeddingFile(options_, *snapshot_).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace slice
