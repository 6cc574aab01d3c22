#include "common/did_you_mean.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/near_miss.h"

namespace slice {
namespace {

// A message quotes at most this many bytes of a text. It may have to fit into
// a trailer, which holds 8 KiB.
constexpr size_t kQuotedBytes = 120;
constexpr size_t kListedNames = 10;

void AppendQuoted(std::string* out, const std::string& text) {
  out->append(Quoted(text));
}

std::string Lower(std::string_view text) {
  return absl::AsciiStrToLower(absl::string_view(text.data(), text.size()));
}

}  // namespace

std::vector<std::string> NearestStrings(
    std::string_view text, const std::vector<std::string>& candidates,
    size_t limit) {
  NearMissSearch search(Lower(text), limit);
  for (const std::string& candidate : candidates)
    search.Offer(Lower(candidate), candidate);
  return search.Best();
}

std::string Quoted(std::string_view text) {
  const auto continues = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  size_t end = std::min(text.size(), kQuotedBytes);
  while (end > 0 && end < text.size() && continues(end)) --end;
  return absl::StrCat("'", absl::string_view(text.data(), end),
                      end < text.size() ? "...'" : "'");
}

std::string DidYouMean(const std::vector<std::string>& near_misses) {
  if (near_misses.empty()) return "";
  return absl::StrCat("; did you mean ",
                      absl::StrJoin(near_misses, " or ", AppendQuoted), "?");
}

std::string Alternatives(std::string_view text,
                         const std::vector<std::string>& names,
                         size_t suggestions) {
  if (suggestions == 0) return "";
  const auto near_misses = NearestStrings(text, names, suggestions);
  if (!near_misses.empty()) return DidYouMean(near_misses);
  const auto listed = names.begin() + static_cast<std::ptrdiff_t>(
                                          std::min(names.size(), kListedNames));
  std::string first_names = absl::StrCat(
      "; there is ", absl::StrJoin(names.begin(), listed, ", ", AppendQuoted));
  if (listed != names.end()) {
    absl::StrAppend(&first_names, " and ", names.end() - listed, " more");
  }
  return first_names;
}

}  // namespace slice
