// A bucket is kept as the time at which it will be full again (the generic cell
// rate algorithm, ITU-T I.371). A cost of c at r per second moves that time
// c / r seconds on. The bucket holds nothing while that time is kBurst or more
// away. A bucket that is full again says nothing, so it need not be kept.
// Each refused caller is told the next free turn, so no two of them come back
// for the same one.
#include "server/access/quotas.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

constexpr absl::Duration kBurst = absl::Seconds(1);
constexpr absl::Duration kMinRetryDelay = absl::Milliseconds(10);
// Refused callers are asked to come back at most this much later than the
// bucket holds something again.
constexpr absl::Duration kLongestQueue = absl::Seconds(5);

constexpr const char* kKindNames[kQuotaKinds] = {"links", "recommendations",
                                                 "searches"};

}  // namespace

const char* QuotaKindName(QuotaKind kind) {
  return kKindNames[static_cast<int>(kind)];
}

void Quotas::SetLimits(const QuotaLimits& limits) {
  MutexLock lock(&mutex_);
  limits_ = limits;
}

QuotaLimits Quotas::LimitsOf(const Account& account) const {
  MutexLock lock(&mutex_);
  return LimitsFor(account);
}

QuotaLimits Quotas::LimitsFor(const Account& account) const {
  return account.identity == nullptr ? limits_
                                     : account.identity->limits.In(limits_);
}

absl::Status Quotas::Check(const Account& account, QuotaKind kind) {
  const absl::Time now = clock_->Now();
  MutexLock lock(&mutex_);
  const absl::Duration wait = EmptyFor(account, kind, now);
  return wait <= absl::ZeroDuration() ? absl::OkStatus()
                                      : Refuse(account, kind, wait, now);
}

absl::Duration Quotas::EmptyFor(const Account& account, QuotaKind kind,
                                absl::Time now) const {
  const auto found = by_id_.find(account.id);
  if (found == by_id_.end() || LimitsFor(account).of(kind) <= 0) return {};
  const absl::Time full_at = found->second->full_at[static_cast<int>(kind)];
  // An empty bucket is not let through: its wait is one nanosecond.
  return full_at - now - kBurst + absl::Nanoseconds(1);
}

void Quotas::Charge(const Account& account, QuotaKind kind, double cost) {
  const absl::Time now = clock_->Now();
  MutexLock lock(&mutex_);
  UsageOf(account).charged[static_cast<int>(kind)] += cost;
  const double per_second = LimitsFor(account).of(kind);
  if (per_second <= 0) return;
  absl::Time& full_at = Touch(account.id, now).full_at[static_cast<int>(kind)];
  full_at = std::max(full_at, now) + absl::Seconds(cost / per_second);
}

Quotas::Bucket& Quotas::Touch(uint64_t id, absl::Time now) {
  const auto found = by_id_.find(id);
  if (found != by_id_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, found->second);
  } else {
    Bucket fresh;
    fresh.id = id;
    fresh.full_at.fill(absl::InfinitePast());
    fresh.next_turn.fill(absl::InfinitePast());
    buckets_.push_front(fresh);
    by_id_[id] = buckets_.begin();
  }
  // At most two for each call: so the full ones go sooner than others come, and
  // no call takes long.
  for (int i = 0; i < 2; ++i) {
    const Bucket& oldest = buckets_.back();
    if (buckets_.size() <= kMostRemembered && !oldest.IsFull(now)) break;
    if (oldest.id == id) break;
    by_id_.erase(oldest.id);
    buckets_.pop_back();
  }
  return buckets_.front();
}

bool Quotas::Bucket::IsFull(absl::Time now) const {
  return *std::max_element(full_at.begin(), full_at.end()) <= now;
}

QuotaUsage& Quotas::UsageOf(const Account& account) {
  return usage_[account.name()];
}

absl::Status Quotas::Refuse(const Account& account, QuotaKind kind,
                            absl::Duration wait, absl::Time now) {
  UsageOf(account).refused[static_cast<int>(kind)] += 1;
  const double per_second = LimitsFor(account).of(kind);
  const absl::Time turn =
      TurnOf(*by_id_.at(account.id), kind, per_second, now + wait);
  const absl::Duration delay =
      absl::Ceil(std::max(turn - now, kMinRetryDelay), absl::Milliseconds(1));
  const std::string who = account.identity == nullptr
                              ? "this host"
                              : Quoted(account.identity->name);
  const std::string quota =
      absl::StrCat(per_second, " ", QuotaKindName(kind), " per second");
  return WithRetryDelay(
      WithQuotaFailure(absl::ResourceExhaustedError(absl::StrCat(
                           who, " has used up its quota of ", quota,
                           "; ask again in ", absl::FormatDuration(delay))),
                       account.name(), quota),
      delay);
}

absl::Time Quotas::TurnOf(Bucket& bucket, QuotaKind kind, double per_second,
                          absl::Time free_at) {
  absl::Time& next = bucket.next_turn[static_cast<int>(kind)];
  const absl::Time turn =
      std::min(std::max(next, free_at), free_at + kLongestQueue);
  next = turn + absl::Seconds(1 / per_second);
  return turn;
}

std::map<std::string, QuotaUsage> Quotas::Usage() const {
  MutexLock lock(&mutex_);
  return usage_;
}

size_t Quotas::remembered() const {
  MutexLock lock(&mutex_);
  return buckets_.size();
}

}  // namespace slice
