#include "client/exit_codes.h"

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(ExitCodesTest, AddsTheStatusCode) {
  EXPECT_EQ(ExitCodeFor(absl::OkStatus()), 0);
  EXPECT_EQ(ExitCodeFor(absl::NotFoundError("")), 69);
  EXPECT_EQ(ExitCodeFor(absl::UnavailableError("")), 78);
  EXPECT_EQ(ExitCodeFor(absl::UnauthenticatedError("")), 80);
}

TEST(ErrorTextTest, PutsSuggestionsOnTheirOwnLine) {
  EXPECT_EQ(ErrorText("", absl::NotFoundError("no node has the key or name "
                                              "\"crul\"; did you mean \"curl\" "
                                              "or \"curlie\"?")),
            "error: NOT_FOUND: no node has the key or name \"crul\"\n"
            "did you mean: \"curl\" or \"curlie\"\n");
}

TEST(ErrorTextTest, AMessageMayBeginWithAFlag) {
  EXPECT_EQ(
      ErrorText("", absl::NotFoundError("--with 'a r b': no node 'b'; did "
                                        "you mean 'c'?")),
      "error: NOT_FOUND: --with 'a r b': no node 'b'\n"
      "did you mean: 'c'\n");
}

TEST(ErrorTextTest, SaysWhere) {
  EXPECT_EQ(ErrorText("links.tsv:3", absl::NotFoundError("no relation \"x\"")),
            "error: links.tsv:3: NOT_FOUND: no relation \"x\"\n");
}

TEST(ErrorTextTest, SaysWhenTheServerGaveNoMessage) {
  EXPECT_EQ(ErrorText("", absl::UnimplementedError("")),
            "error: UNIMPLEMENTED: the server gives no reason\n");
}

TEST(ErrorTextTest, CannotDriveTheTerminal) {
  EXPECT_EQ(ErrorText("", absl::InternalError("a\x1b[2Jb")),
            "error: INTERNAL: a\uFFFD[2Jb\n");
}

}  // namespace
}  // namespace slice
