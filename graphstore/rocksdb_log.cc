#include "graphstore/rocksdb_log.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/logging.h"
#include "rocksdb/env.h"

namespace slice {
namespace {

constexpr size_t kMostBytes = 512;

class ForwardingLog final : public rocksdb::Logger {
 public:
  explicit ForwardingLog(std::string directory)
      : rocksdb::Logger(rocksdb::WARN_LEVEL),
        directory_(std::move(directory)) {}

  void LogHeader(const char*, va_list) override {}
  void Logv(const char*, va_list) override {}
  void Logv(const rocksdb::InfoLogLevel level, const char* format,
            va_list arguments) override {
    if (level < GetInfoLogLevel() || level >= rocksdb::HEADER_LEVEL) return;
    std::array<char, kMostBytes> text = {};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    // What follows the first line is a dump of RocksDB's own data.
    const std::string_view all = text.data();
    const std::string line(all.substr(0, all.find('\n')));
    LogLine(
        level == rocksdb::WARN_LEVEL ? LogLevel::kDebug : LogLevel::kWarning,
        absl::StrCat("RocksDB in ", directory_, ": ", line));
  }

 private:
  const std::string directory_;
};

}  // namespace

std::shared_ptr<rocksdb::Logger> NewRocksDbLog(
    const std::filesystem::path& directory) {
  return std::make_shared<ForwardingLog>(directory.string());
}

}  // namespace slice
