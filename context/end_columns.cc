#include "context/end_columns.h"

#include <algorithm>
#include <string>

namespace slice {
namespace {

// Which end the feature describes: 0 for the source alone, 1 for the target
// alone, -1 for anything else. The second part of its name tells:
// "degree.source_arcs", "fits.target.slots".
int EndOf(const std::string& name) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return -1;
  if (name.compare(dot + 1, 6, "source") == 0) return 0;
  return name.compare(dot + 1, 6, "target") == 0 ? 1 : -1;
}

}  // namespace

EndColumns::EndColumns(const LinkEncoder& encoder)
    : feature_count_(encoder.pair_features().names().size()) {
  const std::vector<std::string>& names = encoder.pair_features().names();
  size_t counts[2] = {0, 0};
  for (size_t i = 0; i < names.size(); ++i) {
    const int end = EndOf(names[i]);
    if (end < 0) continue;
    ++counts[end];
    std::vector<Run>& runs = runs_[end];
    if (!runs.empty() && runs.back().begin + runs.back().size == i) {
      ++runs.back().size;
    } else {
      runs.push_back({i, 1});
    }
  }
  packed_begin_[0] = 0;
  packed_begin_[1] = counts[0];
  packed_begin_[2] = counts[0] + counts[1];
}

void EndColumns::Pack(std::span<const float> row,
                      std::span<float> packed) const {
  float* to = packed.data();
  for (const auto& runs : runs_) {
    for (const auto& [begin, size] : runs) {
      to = std::copy_n(row.data() + begin, size, to);
    }
  }
}

void EndColumns::Unpack(std::span<const float> packed, Direction end,
                        std::span<float> row) const {
  const auto which = static_cast<size_t>(end);
  const float* from = packed.data() + packed_begin_[which];
  for (const auto& [begin, size] : runs_[which]) {
    std::copy_n(from, size, row.data() + begin);
    from += size;
  }
}

}  // namespace slice
