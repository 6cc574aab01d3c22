#include "graphstore/write_ahead_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/random.h"
#include "rocksdb/db.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class WriteAheadLogTest : public ::testing::Test {
 protected:
  // The log of a database that was written values of these sizes. Sets ends_.
  std::string LogOf(const std::vector<size_t>& sizes) {
    const fs::path place = directory_ / absl::StrCat("database-", ++databases_);
    ends_.clear();
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* opened = nullptr;
    EXPECT_TRUE(rocksdb::DB::Open(options, place, &opened).ok());
    const std::unique_ptr<rocksdb::DB> database(opened);
    rocksdb::WriteOptions durably;
    durably.sync = true;
    Random random(3);
    for (const size_t size : sizes) {
      std::string value;
      for (size_t i = 0; i < size; ++i)
        value.push_back(static_cast<char>('a' + random.Below(26)));
      EXPECT_TRUE(database->Put(durably, absl::StrCat(size), value).ok());
      ends_.push_back(ReadLog(place).size());
    }
    return ReadLog(place);
  }

  absl::Status Check(const std::string& log) const {
    const fs::path place = directory_ / "checked";
    fs::create_directories(place);
    directory_.Write("checked/000004.log", log);
    return CheckWriteAheadLog(place);
  }
  static bool IsDamage(const absl::Status& status) {
    return absl::IsDataLoss(status);
  }

  const TempDirectory directory_;
  std::vector<size_t> ends_;  // of the records

 private:
  static std::string ReadLog(const fs::path& place) {
    for (const auto& file : fs::directory_iterator(place)) {
      if (file.path().extension() == ".log") return *ReadFile(file.path());
    }
    return "";
  }

  int databases_ = 0;
};

TEST_F(WriteAheadLogTest, EveryFlippedBitIsDamage) {
  const std::string log = LogOf({10, 50, 20});
  EXPECT_TRUE(Check(log).ok());
  for (size_t at = 0; at < log.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = log;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      ASSERT_TRUE(IsDamage(Check(flipped))) << at << ", bit " << bit;
    }
  }
}

TEST_F(WriteAheadLogTest, AFlippedBitOfALongRecordIsDamage) {
  const std::string log = LogOf({70'000, 33'000, 90'000});
  EXPECT_TRUE(Check(log).ok());
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    std::string flipped = log;
    flipped[random.Below(static_cast<uint32_t>(log.size()))] ^= 0x40;
    ASSERT_TRUE(IsDamage(Check(flipped)));
  }
}

TEST_F(WriteAheadLogTest, SaysWhereTheDamageIsAndWhatToDo) {
  std::string log = LogOf({10, 50, 20});
  log[ends_[0] + 30] ^= 1;
  const std::string message(Check(log).message());
  EXPECT_THAT(message, HasSubstr(absl::StrCat("000004.log is damaged at byte ",
                                              ends_[0], ", so that")));
  EXPECT_THAT(message, HasSubstr("slice-graph restore"));
}

TEST_F(WriteAheadLogTest, ARecordThatIsCutOffIsNoDamage) {
  const std::string log = LogOf({10, 50, 20});
  for (size_t size = 0; size < log.size(); ++size)
    ASSERT_TRUE(Check(log.substr(0, size)).ok()) << size;
  const std::string longer = LogOf({100, 33'000, 90'000});
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const size_t size = random.Below(static_cast<uint32_t>(longer.size()));
    ASSERT_TRUE(Check(longer.substr(0, size)).ok()) << size;
  }
}

// A write failed half-way, on a full disk; RocksDB wrote the record once more.
TEST_F(WriteAheadLogTest, AStartBeforeTheWholeRecordIsNoDamage) {
  const std::string log = LogOf({10, 50, 20});
  const std::string before = log.substr(0, ends_[1]);
  const std::string record = log.substr(ends_[1]);
  for (size_t size = 1; size < record.size(); ++size) {
    const std::string start = record.substr(0, size);
    ASSERT_TRUE(Check(before + start + record).ok()) << size;
    std::string other = start;
    other[0] ^= 1;
    ASSERT_TRUE(IsDamage(Check(before + other + record))) << size;
  }
}

// The power fails while sectors are written, in any order.
TEST_F(WriteAheadLogTest, SectorsThatWereNotWrittenAreNoDamageOfTheLastRecord) {
  const std::string log = LogOf({100, 33'000, 90'000});
  const auto without_sector = [&](size_t sector) {
    std::string torn = log;
    for (size_t at = 512 * sector; at < 512 * (sector + 1) && at < log.size();
         ++at) {
      torn[at] = '\0';
    }
    return Check(torn);
  };
  for (size_t sector = 1; 512 * sector < log.size(); ++sector) {
    if (sector == ends_[1] / 512) continue;  // of both records
    const bool is_acknowledged = 512 * sector < ends_[1];
    ASSERT_EQ(IsDamage(without_sector(sector)), is_acknowledged) << sector;
  }
  const std::string empty_end(4096, '\0');
  EXPECT_TRUE(Check(log + empty_end).ok());
}

TEST_F(WriteAheadLogTest, ADirectoryWithoutLogsIsInOrder) {
  directory_.Write("probe.log", "no log of RocksDB, although called so");
  EXPECT_TRUE(CheckWriteAheadLog(directory_.path()).ok());
  EXPECT_TRUE(absl::IsNotFound(CheckWriteAheadLog(directory_ / "none")));
}

}  // namespace
}  // namespace slice
