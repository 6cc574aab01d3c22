#include "common/logging.h"

#include <unistd.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/line_writer.h"
#include "common/text_width.h"
#include "spdlog/sinks/base_sink.h"
#include "spdlog/sinks/stdout_color_sinks.h"
#include "spdlog/spdlog.h"

namespace slice {
namespace {

constexpr char kPattern[] = "%Y-%m-%d %H:%M:%S.%e %^%l%$ %v";

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

// What replaces a control character.
constexpr char kReplacement[] = "\uFFFD";

class NeverWaitingSink final : public spdlog::sinks::base_sink<std::mutex> {
 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    const std::string_view line(text.data(), text.size());
    writer_.Write(line.substr(0, line.find_last_not_of('\n') + 1));
  }
  void flush_() override {}

  LineWriter writer_{STDERR_FILENO, Rate(), Clock::Real()};
};

spdlog::logger& Logger() {
  static spdlog::logger* const logger = [] {
    auto* created = new spdlog::logger(
        "slice", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    created->set_pattern(kPattern);
    return created;
  }();
  return *logger;
}

}  // namespace

absl::StatusOr<LogLevel> ParseLogLevel(std::string_view name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "info") return LogLevel::kInfo;
  if (name == "warning") return LogLevel::kWarning;
  if (name == "error") return LogLevel::kError;
  return absl::InvalidArgumentError(
      absl::StrCat("'", absl::string_view(name.data(), name.size()),
                   "' is none of debug, info, warning and error"));
}

void SetLogLevel(LogLevel level) { Logger().set_level(ToSpdlog(level)); }

void NeverWaitForLog() {
  auto sink = std::make_shared<NeverWaitingSink>();
  sink->set_pattern(kPattern);
  Logger().sinks() = {std::move(sink)};
}

void LogLine(LogLevel level, std::string_view message) {
  const std::string text = Printable(message, kReplacement);
  Logger().log(ToSpdlog(level),
               spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace slice
