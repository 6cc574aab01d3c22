#include "common/logging.h"

#include <memory>

#include "spdlog/sinks/stdout_color_sinks.h"
#include "spdlog/spdlog.h"

namespace slice {
namespace {

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

spdlog::logger& Logger() {
  static spdlog::logger* const logger = [] {
    auto* created = new spdlog::logger(
        "slice", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    created->set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
    return created;
  }();
  return *logger;
}

}  // namespace

void SetLogLevel(LogLevel level) { Logger().set_level(ToSpdlog(level)); }

void LogLine(LogLevel level, std::string_view message) {
  Logger().log(ToSpdlog(level),
               spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace slice
