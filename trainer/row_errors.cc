#include "trainer/row_errors.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace slice {

void RowErrors::Add(uint64_t line, const absl::Status& error) {
  if (++count_ > kMostPrinted) return;
  messages_ << file_.string() << ":" << line << ": "
            << std::string(error.message()) << "\n";
}

absl::Status RowErrors::Summary(size_t rows,
                                const std::filesystem::path& out) const {
  if (count_ == 0) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat(
      count_, " of ", rows, " rows of ", file_.string(), " have no answer",
      count_ > kMostPrinted
          ? absl::StrCat(" (the first ", kMostPrinted, " errors are above)")
          : "",
      "; in ", out.string(), " their probability is nan"));
}

}  // namespace slice
