#include "context/metapath.h"

#include <gtest/gtest.h>

namespace slice {
namespace {

const std::vector<std::string> kRelations = {"cites", "writes",
                                             "/people/person/place"};

TEST(ParseMetapath, ReadsDirectionsAndTheRelationAskedFor) {
  const Metapath any = *ParseMetapath("cites,^writes", kRelations);
  EXPECT_EQ(any, (Metapath{kAnyRelation, {1, -2}}));
  EXPECT_TRUE(any.Serves(0));
  EXPECT_TRUE(any.Serves(2));
  const Metapath one =
      *ParseMetapath("writes=^/people/person/place,cites,cites", kRelations);
  EXPECT_EQ(one, (Metapath{1, {-3, 1, 1}}));
  EXPECT_TRUE(one.Serves(1));
  EXPECT_FALSE(one.Serves(0));
}

TEST(ParseMetapath, IsUndoneByFormat) {
  for (const char* text :
       {"cites,^writes", "writes=^/people/person/place,cites,cites"}) {
    EXPECT_EQ(FormatMetapath(*ParseMetapath(text, kRelations), kRelations),
              text);
  }
}

TEST(ParseMetapath, NamesWhatIsWrong) {
  const auto refused = [](const char* text) {
    return ParseMetapath(text, kRelations).status();
  };
  EXPECT_EQ(refused("cites,reads"),
            absl::NotFoundError(
                "metapath 'cites,reads': no relation is called 'reads'"));
  EXPECT_EQ(refused("cites,"),
            absl::NotFoundError("metapath 'cites,': no relation is called ''"));
  EXPECT_EQ(refused("reads=cites,cites").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(refused("cites"),
            absl::InvalidArgumentError(
                "metapath 'cites' has 1 steps; it needs 2 to 16"));
}

}  // namespace
}  // namespace slice
