#include "server/readiness.h"

namespace slice {

void Readiness::Add(Obstacle obstacle) {
  MutexLock lock(&mutex_);
  const bool was_ready = obstacles_.empty();
  obstacles_.insert(obstacle);
  if (was_ready) Tell();
}

void Readiness::Remove(Obstacle obstacle) {
  MutexLock lock(&mutex_);
  if (obstacles_.erase(obstacle) > 0 && obstacles_.empty()) Tell();
}

bool Readiness::ready() const {
  MutexLock lock(&mutex_);
  return obstacles_.empty();
}

void Readiness::Tell() {
  metrics_->SetReady(obstacles_.empty());
  health_->SetReady(obstacles_.empty());
}

}  // namespace slice
