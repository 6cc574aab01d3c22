#include "server/server_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/command/command_line.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

struct Parsed {
  ServerOptions options;
  absl::Status status;
};

Parsed Parse(std::vector<std::string> arguments) {
  Parsed parsed;
  CommandLine line({.name = "slice-server"});
  AddServerFlags(line.flags(), parsed.options);
  parsed.status = line.Parse(std::move(arguments)).status;
  return parsed;
}

TEST(ServerFlagsTest, BothSpellingsAreOneFlag) {
  for (const auto& flags :
       {std::vector<std::string>{"--data-dir", "d", "--max-batch-size=7",
                                 "--lame-duck", "2s"},
        {"--data_dir", "d", "--max_batch_size=7", "--lame_duck", "2s"}}) {
    const Parsed parsed = Parse(flags);
    EXPECT_TRUE(parsed.status.ok()) << parsed.status;
    EXPECT_EQ(parsed.options.data_dir, "d");
    EXPECT_EQ(parsed.options.max_batch_size, 7);
    EXPECT_EQ(parsed.options.lame_duck, absl::Seconds(2));
  }
}

TEST(ServerFlagsTest, ReadsWhatHappensWhenTheDeviceIsLost) {
  EXPECT_EQ(Parse({}).options.on_device_loss, DeviceLossPolicy::kExit);
  EXPECT_EQ(Parse({"--on-device-loss", "cpu"}).options.on_device_loss,
            DeviceLossPolicy::kFallBackToCpu);
  EXPECT_THAT(
      std::string(Parse({"--on_device_loss", "ignore"}).status.message()),
      HasSubstr("--on-device-loss: "));
}

TEST(ServerFlagsTest, RefusesATimeWithoutItsUnit) {
  EXPECT_EQ(std::string(Parse({"--max-deadline", "30"}).status.message()),
            "--max-deadline: '30' is not a duration such as 5s or 200ms");
}

}  // namespace
}  // namespace slice
