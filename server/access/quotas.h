// Limits how much each account may ask of the server, and counts what it asked.
#ifndef SLICE_SERVER_ACCESS_QUOTAS_H_
#define SLICE_SERVER_ACCESS_QUOTAS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/access/account.h"
#include "server/access/quota_limits.h"

namespace slice {

// What an identity has asked of the server since the start.
struct QuotaUsage {
  std::array<double, kQuotaKinds> charged = {};  // by QuotaKind
  std::array<double, kQuotaKinds> refused = {};
};

// A token bucket for each account and kind. It holds what the account may ask
// in one second. A call passes (Check) while the bucket holds anything. Once
// the server has taken the call in, it is charged its whole cost, which may be
// more than the bucket holds: then the next call waits for longer. Thread-safe.
class Quotas {
 public:
  // `limits` are those of an account whose identity has none of its own.
  // `clock` must outlive the object.
  Quotas(const QuotaLimits& limits, const Clock* clock)
      : clock_(clock), limits_(limits) {}

  void SetLimits(const QuotaLimits& limits);
  QuotaLimits LimitsOf(const Account& account) const;

  // OK while the account may ask for more of this kind. Otherwise
  // RESOURCE_EXHAUSTED with a QuotaFailure and a RetryInfo, and the refusal is
  // counted. Each refused caller gets a time of its own to come back. These
  // times are as far apart as the quota allows calls to be.
  absl::Status Check(const Account& account, QuotaKind kind);
  void Charge(const Account& account, QuotaKind kind, double cost);

  // By the name of the identity, of the proxy of subjects without one, or
  // "anonymous". So there are no more entries than the configuration has had
  // identities.
  std::map<std::string, QuotaUsage> Usage() const;

  // How many accounts have a bucket. Buckets that are full again are removed
  // while others are charged.
  size_t remembered() const;
  // The most buckets. Beyond them, those that were used least recently are
  // forgotten, as if they were full.
  static constexpr size_t kMostRemembered = 8192;

 private:
  struct Bucket {
    uint64_t id = 0;
    // When the bucket will be full again, by kind.
    std::array<absl::Time, kQuotaKinds> full_at = {};
    // When the next refused caller shall come back, by kind.
    std::array<absl::Time, kQuotaKinds> next_turn = {};

    bool IsFull(absl::Time now) const;
  };
  using Buckets = std::list<Bucket>;

  QuotaLimits LimitsFor(const Account& account) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // For how long the bucket will hold nothing.
  absl::Duration EmptyFor(const Account& account, QuotaKind kind,
                          absl::Time now) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The bucket of the account, which becomes the one used most recently.
  Bucket& Touch(uint64_t id, absl::Time now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  QuotaUsage& UsageOf(const Account& account)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Refuse(const Account& account, QuotaKind kind,
                      absl::Duration wait, absl::Time now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes the next turn of the bucket, which holds something again at
  // `free_at`.
  static absl::Time TurnOf(Bucket& bucket, QuotaKind kind, double per_second,
                           absl::Time free_at);

  const Clock* const clock_;
  mutable Mutex mutex_;
  QuotaLimits limits_ ABSL_GUARDED_BY(mutex_);
  Buckets buckets_ ABSL_GUARDED_BY(mutex_);  // used most recently first
  std::unordered_map<uint64_t, Buckets::iterator> by_id_
      ABSL_GUARDED_BY(mutex_);
  std::map<std::string, QuotaUsage> usage_ ABSL_GUARDED_BY(mutex_);
};

// The name of a kind in metrics and errors, such as "links".
const char* QuotaKindName(QuotaKind kind);

}  // namespace slice

#endif  // SLICE_SERVER_ACCESS_QUOTAS_H_
