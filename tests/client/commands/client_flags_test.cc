#include "client/commands/client_flags.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "common/command/command_line.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

// The flags of a line without a command.
ClientFlags Parsed(std::vector<std::string> arguments) {
  ClientFlags flags;
  CommandLine line({.name = "slice-client"});
  AddClientFlags(line.flags(), flags);
  AddScorer(line.flags(), flags);
  const ParsedLine parsed = line.Parse(std::move(arguments));
  EXPECT_TRUE(parsed.status.ok()) << parsed.status;
  return flags;
}

TEST(ClientFlagsTest, ReadsTheConnection) {
  const ClientFlags flags = Parsed(
      {"--server", "h:1", "--json", "--ascii", "--model", "m", "-H", "A: b",
       "--header", "c: d", "--max_time", "2.5", "--scorer", "ends"});
  EXPECT_TRUE(flags.json);
  EXPECT_TRUE(flags.ascii);
  EXPECT_EQ(flags.client.connection.server, "h:1");
  EXPECT_EQ(flags.client.max_time, absl::Milliseconds(2500));
  EXPECT_EQ(flags.client.model, "m");
  EXPECT_EQ(flags.client.scorer, "ends");
  ASSERT_EQ(flags.client.connection.metadata.size(), 2);
  EXPECT_EQ(flags.client.connection.metadata[0].first, "a");
  EXPECT_EQ(flags.client.connection.metadata[1].second, "d");
}

TEST(ClientFlagsTest, TheDefaultIsAServerOfThisMachineWithoutEncryption) {
  const ClientFlags flags = Parsed({});
  EXPECT_EQ(flags.client.connection.server, "127.0.0.1:50051");
  EXPECT_FALSE(flags.client.connection.tls);
  EXPECT_EQ(flags.client.scorer, "");
  EXPECT_EQ(flags.client.max_time, absl::Seconds(30));
}

TEST(ClientFlagsTest, ReadsTheServerFromTheEnvironment) {
  setenv("SLICE_SERVER", "graph:7000", 1);
  EXPECT_EQ(Parsed({}).client.connection.server, "graph:7000");
  EXPECT_EQ(Parsed({"--server", "h:1"}).client.connection.server, "h:1");
  unsetenv("SLICE_SERVER");
}

TEST(ClientFlagsTest, ACertificateTurnsEncryptionOn) {
  const ConnectionOptions connection =
      Parsed({"--cacert", "ca.pem"}).client.connection;
  EXPECT_TRUE(connection.tls);
  EXPECT_EQ(connection.ca_file, "ca.pem");
  EXPECT_TRUE(Parsed({"--tls"}).client.connection.tls);
}

TEST(ClientFlagsTest, RetriesCountTheTriesAfterTheFirst) {
  const RetryPolicy retry = Parsed({"--retries", "0"}).client.retry;
  EXPECT_EQ(retry.max_attempts, 1);
  EXPECT_EQ(retry.max_attempts_with_delay, 1);
}

}  // namespace
}  // namespace slice
