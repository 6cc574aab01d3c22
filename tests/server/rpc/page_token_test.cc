#include "server/rpc/page_token.h"

#include <gtest/gtest.h>

namespace slice {
namespace {

TEST(PageTokenTest, PositionsComeBack) {
  const uint64_t fingerprint = PageFingerprint({"FindNodes", "lib"});
  for (uint64_t position : {uint64_t{1}, uint64_t{20}, ~uint64_t{0}}) {
    const std::string token = EncodePageToken(fingerprint, position);
    EXPECT_EQ(DecodePageToken(fingerprint, token).value(), position);
  }
}

TEST(PageTokenTest, NoTokenIsTheBeginning) {
  EXPECT_EQ(DecodePageToken(1, "").value(), 0);
}

TEST(PageTokenTest, ATokenOfAnotherRequestIsRefused) {
  const std::string token = EncodePageToken(PageFingerprint({"a", "b"}), 20);
  EXPECT_EQ(DecodePageToken(PageFingerprint({"ab", ""}), token).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(PageTokenTest, AChangedTokenIsRefused) {
  const std::string good = EncodePageToken(7, 20);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = bad[i] == '1' ? '2' : '1';
    EXPECT_EQ(DecodePageToken(7, bad).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  for (const char* bad : {"x", "0x00000000000000000000000000000000", "-1"}) {
    EXPECT_EQ(DecodePageToken(7, bad).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace slice
