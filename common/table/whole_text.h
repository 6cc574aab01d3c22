// A file as one text, for those who need all of it at once.
#ifndef SLICE_COMMON_TABLE_WHOLE_TEXT_H_
#define SLICE_COMMON_TABLE_WHOLE_TEXT_H_

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"

namespace slice {

// The whole file, decompressed. Errors: those of TextInput.
absl::StatusOr<std::string> ReadWholeText(const std::filesystem::path& path);

// The same of standard input.
absl::StatusOr<std::string> ReadWholeStandardInput();

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_WHOLE_TEXT_H_
