#include "client/link_pipeline.h"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "common/mutex.h"
#include "common/status_macros.h"

namespace slice {
namespace {

// Hands chunk numbers to the threads that call, and their answers, in order, to
// the one thread that accepts. No thread runs more than `window` chunks ahead.
class ChunkQueue {
 public:
  ChunkQueue(size_t chunks, size_t window) : chunks_(chunks), window_(window) {}

  // The next chunk to call for; false when there is none left.
  bool Take(size_t* chunk) {
    MutexLock lock(&mutex_);
    while (!stopped_ && next_ < chunks_ && next_ >= accepted_ + window_)
      changed_.Wait(&mutex_);
    if (stopped_ || next_ == chunks_) return false;
    *chunk = next_++;
    return true;
  }

  void Put(size_t chunk, absl::StatusOr<ScoredLinks> answer) {
    MutexLock lock(&mutex_);
    answers_.emplace(chunk, std::move(answer));
    changed_.SignalAll();
  }

  // Waits for the answer to `chunk`. REQUIRES: chunks are asked for in order.
  absl::StatusOr<ScoredLinks> Next(size_t chunk) {
    MutexLock lock(&mutex_);
    accepted_ = chunk;
    changed_.SignalAll();
    auto answer = answers_.find(chunk);
    while (answer == answers_.end()) {
      changed_.Wait(&mutex_);
      answer = answers_.find(chunk);
    }
    absl::StatusOr<ScoredLinks> taken = std::move(answer->second);
    answers_.erase(answer);
    return taken;
  }

  // Lets the calling threads end after the calls they are in.
  void Stop() {
    MutexLock lock(&mutex_);
    stopped_ = true;
    changed_.SignalAll();
  }

 private:
  const size_t chunks_;
  const size_t window_;

  Mutex mutex_;
  CondVar changed_;
  size_t next_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t accepted_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<size_t, absl::StatusOr<ScoredLinks>> answers_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace

absl::Status ScoreInOrder(
    const LinkClient& client, const PipelineOptions& options, size_t count,
    const std::function<LinkQuery(size_t)>& link_at,
    const std::function<absl::Status(size_t first, const ScoredLinks& scored)>&
        accept) {
  if (options.chunk_links == 0 || options.calls_in_flight == 0)
    return absl::InvalidArgumentError("chunks and calls must be above 0");
  const size_t chunks = (count + options.chunk_links - 1) / options.chunk_links;
  ChunkQueue queue(chunks, options.calls_in_flight);

  const auto call = [&] {
    std::vector<LinkQuery> links;
    for (size_t chunk = 0; queue.Take(&chunk);) {
      const size_t first = chunk * options.chunk_links;
      const size_t last = std::min(count, first + options.chunk_links);
      links.clear();
      for (size_t i = first; i < last; ++i) links.push_back(link_at(i));
      queue.Put(chunk, client.PredictLinks(links));
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 0; i < std::min(options.calls_in_flight, chunks); ++i)
    threads.emplace_back(call);

  absl::Status status;
  for (size_t chunk = 0; chunk < chunks && status.ok(); ++chunk) {
    absl::StatusOr<ScoredLinks> scored = queue.Next(chunk);
    status = scored.ok() ? accept(chunk * options.chunk_links, *scored)
                         : scored.status();
  }
  queue.Stop();
  for (std::thread& thread : threads) thread.join();
  return status;
}

}  // namespace slice
