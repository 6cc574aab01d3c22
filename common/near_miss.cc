// NearMissCost tries, from the best reason for a suggestion to the weakest: few
// edits, one text starting with the other, the name containing the text, and an
// equal start. NearMissSearch keeps the candidates of the lowest costs; the
// highest cost among them then bounds the edits that are worth counting.
//
// MayMatch decides from two signatures (common/text_signature.h) whether
// NearMissCost may find more than an equal start. It turns away no candidate of
// which that is true, but lets some others through.
#include "common/near_miss.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace slice {
namespace {

// Costs; a lower one is a better suggestion. To all but edits, up to
// kMostExtraCost is added: one for each byte by which the lengths differ, or
// for each byte of the text after a shared start.
constexpr int kEditCost = 10;         // each
constexpr int kStartsWithCost = 12;   // one text starts with the other
constexpr int kContainsCost = 25;     // the name contains the text
constexpr int kSharedStartCost = 70;  // only their starts are equal
constexpr int kMostExtraCost = 40;
constexpr size_t kLeastShared = 3;  // bytes of a shared start
constexpr size_t kLongestCompared = 255;
constexpr size_t kMaxEdits = 3;

// The least number of insertions, deletions, substitutions and swaps of
// neighbouring bytes that turns `a` into `b` (optimal string alignment); any
// number above `most` when it is above `most`. Only the diagonal band that
// `most` edits can reach is computed. REQUIRES: a.size() <= kLongestCompared
// and most <= kMaxEdits.
int EditDistance(std::string_view a, std::string_view b, int most) {
  const int rows = static_cast<int>(a.size());
  const int columns = static_cast<int>(b.size());
  if (std::abs(rows - columns) > most) return most + 1;
  constexpr size_t kWidth = kLongestCompared + kMaxEdits + 2;
  std::array<int, kWidth> buffers[3];
  int* before = buffers[0].data();
  int* last = buffers[1].data();
  int* row = buffers[2].data();
  for (int j = 0; j <= std::min(columns, most + 1); ++j) last[j] = j;
  for (int i = 1; i <= rows; ++i) {
    const int first = std::max(1, i - most);
    const int end = std::min(columns, i + most);
    row[first - 1] = first == 1 ? i : most + 1;
    int least = row[first - 1];
    for (int j = first; j <= end; ++j) {
      row[j] = std::min(row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
      if (j < i + most) row[j] = std::min(row[j], last[j] + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > most) return most + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[columns];
}

int ExtraCost(size_t longer, size_t shorter) {
  return static_cast<int>(std::min<size_t>(longer - shorter, kMostExtraCost));
}

}  // namespace

size_t MostEdits(size_t length) { return std::min(length / 3, kMaxEdits); }

std::optional<int> NearMissCost(std::string_view text,
                                std::string_view candidate, int most_cost) {
  if (text.empty() || candidate.empty()) return std::nullopt;
  const int most =
      std::min(static_cast<int>(MostEdits(text.size())), most_cost / kEditCost);
  if (text.size() <= kLongestCompared) {
    const int edits = EditDistance(text, candidate, most);
    if (edits <= most) return edits * kEditCost;
  }
  if (text.size() < 2 || candidate.size() < 2) return std::nullopt;
  if (candidate.starts_with(text))
    return kStartsWithCost + ExtraCost(candidate.size(), text.size());
  // A name much shorter than the text is no good suggestion.
  if (text.starts_with(candidate) && 2 * candidate.size() >= text.size())
    return kStartsWithCost + ExtraCost(text.size(), candidate.size());
  if (candidate.find(text) != std::string_view::npos)
    return kContainsCost + ExtraCost(candidate.size(), text.size());
  const size_t shared = std::mismatch(text.begin(), text.end(),
                                      candidate.begin(), candidate.end())
                            .first -
                        text.begin();
  if (shared >= kLeastShared && 2 * shared >= text.size())
    return kSharedStartCost + ExtraCost(text.size(), shared);
  return std::nullopt;
}

NearMissSearch::NearMissSearch(std::string lower_text, size_t limit)
    : text_(std::move(lower_text)), signature_(text_), limit_(limit) {}

bool NearMissSearch::MayMatch(TextSignature candidate) const {
  if (candidate.length() == 0) return false;
  const int most = static_cast<int>(MostEdits(text_.size()));
  const int missing = signature_.MissingIn(candidate);
  if (missing == 0) return true;  // the candidate may contain the text
  const int foreign = candidate.MissingIn(signature_);
  if (foreign == 0 && 2 * candidate.length() >= signature_.length())
    return true;  // the text may start with the candidate
  const int gap = static_cast<int>(candidate.length()) -
                  static_cast<int>(signature_.length());
  return std::max({missing, foreign, gap, -gap}) <= most;
}

void NearMissSearch::Offer(std::string_view lower_candidate,
                           std::string_view shown) {
  if (limit_ == 0) return;
  const bool full = found_.size() == limit_;
  const auto cost = NearMissCost(text_, lower_candidate,
                                 full ? found_.back().cost : kAnyCost);
  if (!cost.has_value() || (full && *cost > found_.back().cost)) return;
  Found found{*cost, std::string(shown)};
  const auto position = std::lower_bound(found_.begin(), found_.end(), found);
  if (position != found_.end() && *position == found) return;
  found_.insert(position, std::move(found));
  if (found_.size() > limit_) found_.pop_back();
}

std::vector<std::string> NearMissSearch::Best() const {
  std::vector<std::string> best;
  for (const Found& found : found_) best.push_back(found.shown);
  return best;
}

}  // namespace slice
