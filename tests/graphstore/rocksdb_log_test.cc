#include "graphstore/rocksdb_log.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rocksdb/env.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RocksDbLogTest, ErrorsAreWarningsOfOneLineAndTheRestIsLeftOut) {
  const auto log = NewRocksDbLog("/data/graph");
  testing::internal::CaptureStderr();
  rocksdb::Header(log, "a header");
  rocksdb::Info(log, "an info");
  rocksdb::Warn(log, "a warning");
  rocksdb::Error(log, "[file.cc:%d] no room\nfor all this: %s", 7,
                 std::string(4000, 'x').c_str());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("warning"));
  EXPECT_THAT(said, HasSubstr("RocksDB in /data/graph: [file.cc:7] no room\n"));
  EXPECT_THAT(said, Not(HasSubstr("all this")));
  EXPECT_THAT(said, Not(HasSubstr("a header")));
  EXPECT_THAT(said, Not(HasSubstr("an info")));
  EXPECT_THAT(said, Not(HasSubstr("a warning")));
}

}  // namespace
}  // namespace slice
