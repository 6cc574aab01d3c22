// Memory that the requests of many hosts share.
#ifndef SLICE_SERVER_TRANSPORT_MEMORY_SHARES_H_
#define SLICE_SERVER_TRANSPORT_MEMORY_SHARES_H_

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "common/mutex.h"

namespace slice {

// Thread-safe.
class MemoryShares {
 public:
  explicit MemoryShares(size_t bytes) : bytes_(bytes) {}

  // Gives its bytes back when it is destroyed. The MemoryShares must outlive
  // it. Thread-compatible.
  class Share {
   public:
    Share(MemoryShares* of, std::string host, size_t bytes)
        : of_(of), host_(std::move(host)), bytes_(bytes) {}
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() { of_->Change(host_, bytes_, 0); }

    // Makes it a share of `bytes`. False, changing nothing, when that is more
    // than before and Take would refuse it.
    bool Resize(size_t bytes) {
      if (!of_->Change(host_, bytes_, bytes)) return false;
      bytes_ = bytes;
      return true;
    }

   private:
    MemoryShares* const of_;
    const std::string host_;
    size_t bytes_;
  };

  // Null when the host would then have more bytes than are still free in all
  // (dynamic thresholds, as in server/scheduling/admission.h). So a host that
  // is alone gets half of them.
  std::unique_ptr<Share> Take(const std::string& host, size_t bytes);

  size_t taken() const;

 private:
  // Makes a share of `from` bytes one of `to`; false as for Share::Resize.
  bool Change(const std::string& host, size_t from, size_t to);

  const size_t bytes_;
  mutable Mutex mutex_;
  size_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  // Of hosts that have any.
  std::unordered_map<std::string, size_t> by_host_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_MEMORY_SHARES_H_
