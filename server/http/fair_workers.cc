#include "server/http/fair_workers.h"

#include <algorithm>
#include <utility>

namespace slice {

FairWorkers::FairWorkers(int threads) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { RunAll(); });
  }
}

FairWorkers::~FairWorkers() {
  {
    MutexLock lock(&mutex_);
    ending_ = true;
  }
  changed_.SignalAll();
  for (std::thread& thread : threads_) thread.join();
}

void FairWorkers::Run(const std::string& host, size_t cost,
                      std::function<void()> work) {
  MutexLock lock(&mutex_);
  Host& of = hosts_[host];
  // A host gets nothing for the time that it had no work.
  if (of.waiting.empty()) of.served = std::max(of.served, now_);
  of.waiting.push_back({std::max<size_t>(cost, 1), std::move(work)});
  ++waiting_;
  changed_.Signal();
}

void FairWorkers::RunAll() {
  while (true) {
    Work work;
    {
      MutexLock lock(&mutex_);
      while (!ending_ && waiting_ == 0) changed_.Wait(&mutex_);
      if (waiting_ == 0) return;
      work = TakeNext();
    }
    work.run();
  }
}

FairWorkers::Work FairWorkers::TakeNext() {
  Host* next = nullptr;
  for (auto& [name, host] : hosts_) {
    if (host.waiting.empty()) continue;
    if (next == nullptr || host.served < next->served) next = &host;
  }
  Work work = std::move(next->waiting.front());
  next->waiting.pop_front();
  --waiting_;
  now_ = std::max(now_, next->served);
  next->served += work.cost;
  std::erase_if(hosts_, [this](const auto& entry) {
    return entry.second.waiting.empty() && entry.second.served <= now_;
  });
  return work;
}

}  // namespace slice
