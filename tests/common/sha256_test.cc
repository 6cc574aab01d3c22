#include "common/sha256.h"

#include <string>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

// FIPS 180-2, appendix B.
TEST(Sha256Test, MatchesTheStandardsExamples) {
  EXPECT_EQ(Sha256Bytes("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Bytes(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256Test, RawDigestIsTheSameInBytes) {
  EXPECT_EQ(absl::BytesToHexString(Sha256Raw("abc")), Sha256Bytes("abc"));
}

TEST(Sha256Test, FileDigestIsThatOfItsBytes) {
  const TempDirectory directory;
  const std::string bytes(5'000'000, 'a');
  directory.Write("f", bytes);
  EXPECT_EQ(Sha256File(directory / "f").value(), Sha256Bytes(bytes));
}

TEST(Sha256Test, PiecesGiveTheDigestOfTheWhole) {
  Sha256Digest digest;
  digest.Update("ab");
  digest.Update("");
  digest.Update("c");
  EXPECT_EQ(digest.Finish(), Sha256Bytes("abc"));
}

TEST(Sha256Test, MissingFileIsNotFound) {
  const TempDirectory directory;
  EXPECT_EQ(Sha256File(directory / "none").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace slice
