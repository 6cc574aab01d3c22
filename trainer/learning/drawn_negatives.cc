#include "trainer/learning/drawn_negatives.h"

#include <algorithm>
#include <set>

#include "common/random.h"
#include "common/status_macros.h"
#include "trainer/learning/negative_sampler.h"

namespace slice {
namespace {

constexpr int kDraws = 20;  // of one non-link

}  // namespace

absl::StatusOr<size_t> AddDrawnNegatives(const GraphSnapshot& snapshot,
                                         uint64_t seed,
                                         std::vector<LabelledLink>& rows) {
  const bool positives_alone =
      std::all_of(rows.begin(), rows.end(),
                  [](const LabelledLink& row) { return row.positive; });
  if (rows.empty() || !positives_alone) return 0;
  SLICE_ASSIGN_OR_RETURN(const auto sampler,
                         NegativeSampler::Create(snapshot, NegativeMix()));
  std::set<Link> taken;
  for (const LabelledLink& row : rows) taken.insert(row.link);
  Random random(CombineHash(seed, 7));
  const size_t positives = rows.size();
  for (size_t i = 0; i < positives; ++i) {
    for (int draw = 0; draw < kDraws; ++draw) {
      const NegativeKind kind = random.Below(2) == 0
                                    ? NegativeKind::kSourceKept
                                    : NegativeKind::kTargetKept;
      const auto drawn = sampler->Draw(kind, rows[i].link, random);
      if (!drawn.has_value() || !taken.insert(drawn->link).second) continue;
      rows.push_back({drawn->link, false});
      break;
    }
  }
  return rows.size() - positives;
}

}  // namespace slice
