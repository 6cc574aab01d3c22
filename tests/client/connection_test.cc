#include "client/connection.h"

#include "grpcpp/channel.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using absl::StatusCode;

TEST(ParseMetadataTest, LowersTheNameAndTrimsTheValue) {
  const auto metadata = ParseMetadata("X-Team:  graphs and links ");
  ASSERT_TRUE(metadata.ok()) << metadata.status();
  EXPECT_EQ(metadata->first, "x-team");
  EXPECT_EQ(metadata->second, "graphs and links");
}

TEST(ParseMetadataTest, KeepsColonsInTheValue) {
  EXPECT_EQ(ParseMetadata("a: b:c")->second, "b:c");
}

TEST(ParseMetadataTest, DecodesBinaryValues) {
  EXPECT_EQ(ParseMetadata("trace-bin: AAEC/w==")->second,
            std::string("\x00\x01\x02\xff", 4));
  EXPECT_EQ(ParseMetadata("trace-bin: %%").status().code(),
            StatusCode::kInvalidArgument);
}

TEST(ParseMetadataTest, RefusesWhatGrpcWouldRefuse) {
  for (const char* header : {"", "no colon", ": value", "two words: x",
                             "grpc-timeout: 1S", "a: caf\xC3\xA9", "a: \x01"}) {
    EXPECT_EQ(ParseMetadata(header).status().code(),
              StatusCode::kInvalidArgument)
        << header;
  }
}

TEST(ConnectionOptionsTest, AcceptsAddressesOfAllKinds) {
  for (const char* server :
       {"127.0.0.1:50051", "[::1]:50051", "graph.example:1", "unix:/tmp/s"}) {
    ConnectionOptions options;
    options.server = server;
    EXPECT_TRUE(options.Validate().ok()) << server;
    EXPECT_TRUE(CreateChannel(options).ok()) << server;
  }
}

TEST(ConnectionOptionsTest, RefusesAddressesWithoutAPort) {
  for (const char* server :
       {"", "host", ":50051", "host:", "host:0", "host:65536", "host:http"}) {
    ConnectionOptions options;
    options.server = server;
    EXPECT_EQ(options.Validate().code(), StatusCode::kInvalidArgument)
        << server;
  }
}

TEST(ConnectionOptionsTest, RefusesHalfAClientCertificate) {
  ConnectionOptions options;
  options.tls = true;
  options.cert_file = "client.pem";
  EXPECT_EQ(options.Validate().code(), StatusCode::kInvalidArgument);
  options.key_file = "client.key";
  EXPECT_TRUE(options.Validate().ok());
  EXPECT_EQ(CreateChannel(options).status().code(), StatusCode::kNotFound);
}

TEST(ConnectionOptionsTest, ATokenGoesInTheClearToThisMachineOnly) {
  ConnectionOptions options;
  options.token = "abc";
  EXPECT_TRUE(options.Validate().ok());
  options.server = "127.example.org:1";
  EXPECT_EQ(options.Validate().code(), StatusCode::kInvalidArgument);
  options.server = "graph.example:1";
  EXPECT_EQ(options.Validate().code(), StatusCode::kInvalidArgument);
  options.tls = true;
  EXPECT_TRUE(options.Validate().ok());
}

TEST(ConnectionOptionsTest, RefusesATokenThatGrpcWouldRefuse) {
  for (const char* token : {"two words", "a\nb", "caf\xC3\xA9"}) {
    ConnectionOptions options;
    options.token = token;
    const absl::Status status = options.Validate();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message().find(token), std::string::npos);
  }
}

TEST(ReadTokenTest, IsWhatTheFileHoldsWithoutItsLineEnd) {
  const TempDirectory directory;
  EXPECT_EQ(*ReadToken(directory.Write("t", "abc\n").string()), "abc");
  EXPECT_EQ(ReadToken(directory.Write("e", "\n").string()).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadToken((directory / "none").string()).status().code(),
            StatusCode::kNotFound);
}

}  // namespace
}  // namespace slice
