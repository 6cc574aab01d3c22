#include "client/ordered_scoring.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/link_ranges.h"

namespace slice {
namespace {

// The server treats a request with more links as bulk work, unless the request
// names a class (server/pipeline/link_job.cc).
constexpr size_t kMaxInteractiveLinks = 64;

}  // namespace

absl::Status ScoreInOrder(
    const LinkClient& client, const PipelineOptions& options, size_t count,
    const std::function<LinkQuery(size_t)>& link_at,
    const std::function<absl::Status(size_t first, const ScoredLinks& scored)>&
        accept) {
  if (options.chunk_links == 0 || options.calls_in_flight == 0 ||
      options.max_lost_links == 0) {
    return absl::InvalidArgumentError(
        "chunk_links, calls_in_flight and max_lost_links must be above 0");
  }
  LinkRanges ranges({.links = count,
                     .most = options.chunk_links,
                     .max_ahead = options.chunk_links * options.calls_in_flight,
                     .max_lost = options.max_lost_links,
                     .max_time = client.options().max_time});
  const PredictClass predict_class = count > kMaxInteractiveLinks
                                         ? PredictClass::kBulk
                                         : PredictClass::kByCount;
  const auto call = [&] {
    std::vector<LinkQuery> links;
    for (LinkRange range; ranges.Take(&range);) {
      links.clear();
      for (size_t i = 0; i < range.count; ++i)
        links.push_back(link_at(range.first + i));
      const absl::Time start = options.clock->Now();
      absl::StatusOr<ScoredLinks> answer =
          client.PredictLinks(links, predict_class, options.what_if);
      ranges.Put(range, std::move(answer), options.clock->Now() - start);
    }
  };
  const size_t chunks = (count + options.chunk_links - 1) / options.chunk_links;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < std::min(options.calls_in_flight, chunks); ++i)
    threads.emplace_back(call);

  absl::Status status;
  size_t size = options.chunk_links;
  for (size_t first = 0; first < count && status.ok();) {
    const LinkRanges::News news = ranges.Next();
    if (news.size != size && options.resized) options.resized(news.size);
    size = news.size;
    if (!news.answer) continue;
    status = news.answer->ok() ? accept(first, **news.answer)
                               : news.answer->status();
    if (news.answer->ok()) first += (*news.answer)->links.size();
  }
  ranges.Stop();
  for (std::thread& thread : threads) thread.join();
  return status;
}

}  // namespace slice
