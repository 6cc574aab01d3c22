// The errors of single rows in a long file.
#ifndef SLICE_TRAINER_ROW_ERRORS_H_
#define SLICE_TRAINER_ROW_ERRORS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ostream>

#include "absl/status/status.h"

namespace slice {

// Prints the first errors as "file:line: error", and counts all.
// Thread-compatible.
class RowErrors {
 public:
  // At most this many errors are printed; the rest are only counted.
  static constexpr size_t kMostPrinted = 50;

  // `messages` must outlive the object.
  RowErrors(std::filesystem::path file, std::ostream& messages)
      : file_(std::move(file)), messages_(messages) {}

  void Add(uint64_t line, const absl::Status& error);

  size_t count() const { return count_; }

  // OK without errors; otherwise NOT_FOUND, saying of how many `rows` there is
  // no answer. `out` is the file with the answers.
  absl::Status Summary(size_t rows, const std::filesystem::path& out) const;

 private:
  const std::filesystem::path file_;
  std::ostream& messages_;
  size_t count_ = 0;
};

}  // namespace slice

#endif  // SLICE_TRAINER_ROW_ERRORS_H_
