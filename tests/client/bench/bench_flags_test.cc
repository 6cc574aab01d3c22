#include "client/bench/bench_flags.h"

#include <string>
#include <vector>

#include "common/command/command_line.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

BenchOptions Parsed(std::vector<std::string> arguments, bool json = false) {
  BenchFlags flags;
  CommandLine line({.name = "bench"});
  AddBenchFlags(line.flags(), flags);
  const ParsedLine parsed = line.Parse(std::move(arguments));
  EXPECT_TRUE(parsed.status.ok()) << parsed.status;
  const absl::Status status = FinishBenchFlags(flags, json);
  EXPECT_TRUE(status.ok()) << status;
  return flags.options;
}

TEST(BenchFlagsTest, ReadsALoad) {
  const BenchOptions options = Parsed(
      {"--rate", "100,250.5", "--links_per_rpc", "64", "--duration", "1m30s",
       "--warmup", "500ms", "--connections", "4", "--links", "f.tsv"},
      /*json=*/true);
  EXPECT_THAT(options.rates, ElementsAre(100, 250.5));
  EXPECT_THAT(options.concurrency, IsEmpty());
  EXPECT_EQ(options.links_per_rpc, 64);
  EXPECT_EQ(options.duration, absl::Seconds(90));
  EXPECT_EQ(options.warmup, absl::Milliseconds(500));
  EXPECT_EQ(options.connections, 4);
  EXPECT_EQ(options.links_path, "f.tsv");
  EXPECT_EQ(options.format, BenchFormat::kJson);
}

TEST(BenchFlagsTest, ALoadHasDefaults) {
  const BenchOptions options = Parsed({});
  EXPECT_THAT(options.concurrency, ElementsAre(1));
  EXPECT_EQ(options.links_per_rpc, 1);
  EXPECT_EQ(options.streams, 0);
  EXPECT_EQ(options.load_class, LoadClass::kDefault);
  EXPECT_FALSE(options.mixed());
  EXPECT_EQ(options.duration, absl::Seconds(15));
  EXPECT_EQ(options.format, BenchFormat::kTable);
  EXPECT_FALSE(options.until_unavailable);
}

TEST(BenchFlagsTest, ListsMayBePartedByCommasOrFlags) {
  EXPECT_THAT(
      Parsed({"--concurrency", "1,8", "--concurrency", "64"}).concurrency,
      ElementsAre(1, 8, 64));
}

TEST(BenchFlagsTest, ReadsAMix) {
  const BenchOptions mixed =
      Parsed({"--bulk-share", "0.1", "--links-per-rpc", "2", "--streams", "3"});
  EXPECT_TRUE(mixed.mixed());
  EXPECT_EQ(mixed.bulk_share, 0.1);
  EXPECT_EQ(mixed.bulk_links_per_rpc, 2);
  EXPECT_EQ(mixed.streams, 3);
  EXPECT_THAT(mixed.concurrency, ElementsAre(3));
  EXPECT_EQ(Parsed({"--bulk-share", "0.1", "--bulk-links-per-rpc", "1000"})
                .bulk_links_per_rpc,
            1000);
}

TEST(BenchFlagsTest, ReadsTheClass) {
  EXPECT_EQ(Parsed({"--class", "bulk"}).load_class, LoadClass::kBulk);
  EXPECT_EQ(Parsed({"--class", "interactive"}).load_class,
            LoadClass::kInteractive);
}

}  // namespace
}  // namespace slice
