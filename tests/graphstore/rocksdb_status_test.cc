#include "graphstore/rocksdb_status.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rocksdb/status.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(RocksDbStatusTest, OkIsOk) {
  EXPECT_TRUE(FromRocksDb(rocksdb::Status::OK(), "open x").ok());
}

TEST(RocksDbStatusTest, CodesTellWhatToDo) {
  const auto code = [](const rocksdb::Status& status) {
    return FromRocksDb(status, "read x").code();
  };
  EXPECT_EQ(code(rocksdb::Status::Corruption("c")),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(code(rocksdb::Status::NotFound("n")), absl::StatusCode::kNotFound);
  EXPECT_EQ(code(rocksdb::Status::InvalidArgument("i")),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(rocksdb::Status::NoSpace("n")),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(code(rocksdb::Status::IOError("cable")),
            absl::StatusCode::kInternal);
}

TEST(RocksDbStatusTest, HeldLockIsInUse) {
  for (const char* text :
       {"While lock file: /d/LOCK: Resource temporarily unavailable",
        "lock hold by current process, acquire time 1"}) {
    const absl::Status status =
        FromRocksDb(rocksdb::Status::IOError(text), "open /d");
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), HasSubstr("in use"));
  }
}

TEST(RocksDbStatusTest, MessageNamesTheAction) {
  EXPECT_THAT(
      std::string(FromRocksDb(rocksdb::Status::IOError("cable"), "read /d/x")
                      .message()),
      StartsWith("read /d/x: "));
}

}  // namespace
}  // namespace slice
