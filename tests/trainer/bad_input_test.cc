// Strange and wrong graphs and files. Training handles them, or stops with one
// line that names the place; files that existed before are kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "model/model_bundle.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"
#include "trainer/fit/fit.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BadInputTest : public ::testing::Test {
 protected:
  void SetUp() override { WritePlantedFiles(directory_, 3); }

  FitOptions Options() const {
    FitOptions options = FitOptionsIn(directory_);
    options.node2vec.dim = 8;
    options.node2vec.walks_per_node = 1;
    options.node2vec.walk_length = 5;
    options.structural_epochs = 1;
    options.pretrain_epochs = 1;
    options.fine_tune_epochs = 1;
    options.compare_pretraining = false;
    options.network.hidden_dim = 8;
    options.network.heads = 1;
    options.network.feed_forward_dim = 8;
    return options;
  }

  std::string Read(const char* name) const {
    return *ReadFile(directory_ / name);
  }
  void Append(const char* name, const std::string& rows) const {
    directory_.Write(name, Read(name) + rows);
  }

  // Expects that training makes a bundle that opens, whose figures are numbers.
  void ExpectTrains(const FitOptions& options) const {
    const absl::Status status = Fit(options);
    ASSERT_TRUE(status.ok()) << status;
    const auto bundle = ModelBundle::Open(options.out);
    ASSERT_TRUE(bundle.ok()) << bundle.status();
    for (const auto& [name, value] : (*bundle)->manifest().metrics) {
      EXPECT_GE(value, 0) << name;
      EXPECT_LE(value, 1) << name;
    }
  }

  // Expects that training stops with one line that has `message` and with a
  // code that becomes exit code 2, and that there is no bundle.
  void ExpectRefused(const FitOptions& options, const char* message) const {
    const absl::Status status = Fit(options);
    EXPECT_TRUE(absl::IsInvalidArgument(status) ||
                absl::IsFailedPrecondition(status))
        << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("\n")));
    EXPECT_FALSE(std::filesystem::exists(options.out));
  }

  TempDirectory directory_;
};

TEST_F(BadInputTest, RelationWithoutATrainLinkIsRefused) {
  Append("valid.txt", "hates n1 n2 1\n");
  ExpectRefused(Options(),
                "the relation \"hates\" has no link in the training");
}

TEST_F(BadInputTest, RelationThatNobodyAsksForTrains) {
  Append("train.txt", "hates n1 n2\n");
  ExpectTrains(Options());
}

TEST_F(BadInputTest, OneRelationTrains) {
  for (const char* name : {"train.txt", "valid.txt", "test.txt"}) {
    std::string text = Read(name);
    for (size_t at; (at = text.find("knows")) != std::string::npos;)
      text.replace(at, 5, "likes");
    directory_.Write(name, text);
  }
  ExpectTrains(Options());
}

TEST_F(BadInputTest, SelfLoopsTrain) {
  std::string loops;
  for (int i = 0; i < 40; ++i)
    absl::StrAppend(&loops, "likes n", i, " n", i, "\n");
  Append("train.txt", loops);
  Append("valid.txt", "likes n50 n50 1\nknows n51 n51 0\n");
  Append("test.txt", "likes n52 n52 1\nknows n53 n53 0\n");
  ExpectTrains(Options());
}

TEST_F(BadInputTest, GraphOfSelfLoopsAloneIsRefused) {
  directory_.Write("train.txt", "r a a\nr b b\nr c c\n");
  directory_.Write("valid.txt", "r d d 1\nr a b 0\n");
  directory_.Write("test.txt", "r e e 1\nr b c 0\n");
  ExpectRefused(Options(), "no node has a link to walk along");
}

TEST_F(BadInputTest, RepeatedRowsTrain) {
  Append("train.txt", Read("train.txt"));
  Append("valid.txt", Read("valid.txt"));
  ExpectTrains(Options());
}

TEST_F(BadInputTest, RowLabelledBothWaysIsRefused) {
  const std::string valid = Read("valid.txt");
  const std::string row = valid.substr(0, valid.find('\n'));
  ASSERT_EQ(row.back(), '1');
  Append("valid.txt", row.substr(0, row.size() - 1) + "0\n");
  ExpectRefused(Options(), "is labelled 0 here and 1 in line 1");
}

TEST_F(BadInputTest, NodesWithoutLinksTrain) {
  std::string nodes = "key\ttype\tname\n";
  for (int i = 0; i < kPlantedNodes; ++i)
    absl::StrAppend(&nodes, "n", i, "\tperson\t\n");
  for (int i = 0; i < 200; ++i)
    absl::StrAppend(&nodes, "lonely", i, "\t", i % 2 ? "person" : "ghost",
                    "\t\n");
  FitOptions options = Options();
  options.nodes = directory_.Write("nodes.tsv", nodes);
  Append("test.txt", "likes lonely0 lonely1 0\nlikes n1 lonely3 1\n");
  ExpectTrains(options);
}

TEST_F(BadInputTest, HubOfAHundredThousandLinksTrains) {
  std::string train = Read("train.txt");
  for (int i = 0; i < 100000; ++i)
    absl::StrAppend(&train, "likes h", i, " n0\n");
  directory_.Write("train.txt", train);
  Append("test.txt", "likes n0 h7 1\nlikes h8 h9 0\n");
  FitOptions options = Options();
  options.structural_positives = 500;
  options.fine_tune_positives = 200;
  options.last_step = FitStep::kFineTune;
  options.node2vec.dim = 4;
  options.folds = 2;
  options.spectral_rank = 4;
  const absl::Status status = Fit(options);
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(BadInputTest, OneLinkTrains) {
  directory_.Write("train.txt", "r a b\n");
  directory_.Write("valid.txt", "r b a 1\nr a a 0\n");
  directory_.Write("test.txt", "r b a 1\nr b b 0\n");
  FitOptions options = Options();
  options.seed = 2;  // of 1, the link is in the fold that walks do not see
  ExpectTrains(options);
}

TEST_F(BadInputTest, TwoNodesAreTooFew) {
  // All links of a pair are in one fold: without it, no link is left for walks.
  std::string train;
  for (int i = 0; i < 9; ++i) absl::StrAppend(&train, "r", i, " a b\n");
  directory_.Write("train.txt", train);
  directory_.Write("valid.txt", "r1 b a 1\nr2 a a 0\n");
  directory_.Write("test.txt", "r3 b a 1\nr4 b b 0\n");
  FitOptions options = Options();
  options.folds = 2;
  ExpectRefused(options, "no node has a link to walk along");
}

TEST_F(BadInputTest, HeldOutFilesNeedBothClasses) {
  const struct {
    const char* name;
    const char* text;
    const char* message;
  } cases[] = {
      {"valid.txt", "likes n1 n2 0\n", "0 links labelled 1 and 1 labelled 0"},
      {"valid.txt", "", "valid.txt has 0 links labelled 1"},
      {"valid.txt", "# nothing\n\n", "valid.txt has 0 links labelled 1"},
      {"test.txt", "likes n1 n119 0\n", "test.txt has 0 links labelled 1"}};
  for (const auto& test_case : cases) {
    const std::string before = Read(test_case.name);
    directory_.Write(test_case.name, test_case.text);
    ExpectRefused(Options(), test_case.message);
    directory_.Write(test_case.name, before);
  }
}

TEST_F(BadInputTest, EmptyTrainingFileIsRefused) {
  directory_.Write("train.txt", "\n# nothing\n");
  ExpectRefused(Options(), "train.txt:1:1: there is no link");
}

TEST_F(BadInputTest, BadWeightsAreRefused) {
  FitOptions options = Options();
  options.files.columns = *LinkColumns::Parse("relation,source,target,weight");
  options.files.held_out_columns =
      *LinkColumns::Parse("relation,source,target,label");
  directory_.Write("train.txt", "likes n1 n2 1\nlikes n2 n3 nan\n");
  ExpectRefused(options, "train.txt:2:13: bad weight \"nan\"");
}

TEST_F(BadInputTest, FailedRunKeepsTheBundleThatWasThere) {
  FitOptions options = Options();
  ExpectTrains(options);
  const std::string manifest = Read("bundle/MANIFEST.json");
  const std::string network = Read("bundle.work/model.pt");
  Append("train.txt", "likes n1\n");
  EXPECT_EQ(Fit(options).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Read("bundle/MANIFEST.json"), manifest);
  EXPECT_EQ(Read("bundle.work/model.pt"), network);
  EXPECT_TRUE(ModelBundle::Open(options.out).ok());
}

}  // namespace
}  // namespace slice
