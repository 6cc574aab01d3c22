// A line of a text file, and what is wrong with it.
#ifndef SLICE_COMMON_TABLE_TEXT_LINE_H_
#define SLICE_COMMON_TABLE_TEXT_LINE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace slice {

// One line without its end, or several when a quoted field contains line ends.
struct TextLine {
  uint64_t number = 0;  // from 1
  std::string_view text;
};

// Why a line was refused, and where.
struct LineError {
  size_t column = 1;  // in bytes, from 1
  std::string reason;
};

// "file:line:column: reason".
std::string DescribeLineError(const std::filesystem::path& path,
                              const TextLine& line, const LineError& error);

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_TEXT_LINE_H_
