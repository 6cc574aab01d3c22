// The models that are not served any more, until their last request has ended.
#ifndef SLICE_SERVER_MODELS_RETIRED_MODELS_H_
#define SLICE_SERVER_MODELS_RETIRED_MODELS_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "common/mutex.h"
#include "common/periodic_task.h"
#include "server/models/served_model.h"

namespace slice {

// To destroy a model takes long: it frees hundreds of megabytes and closes a
// store. A thread of this object does that, so that no request has to, and
// returns the memory to the machine. Thread-safe.
class RetiredModels {
 public:
  RetiredModels();
  // Destroys all models; the requests that hold one must have ended.
  ~RetiredModels() = default;

  void Add(std::shared_ptr<const ServedModel> model);

  // Those that requests still hold.
  size_t size() const;

 private:
  // Destroys the models that nobody else holds.
  void DestroyUnused();

  mutable Mutex mutex_;
  std::vector<std::shared_ptr<const ServedModel>> models_
      ABSL_GUARDED_BY(mutex_);
  PeriodicTask task_;  // ends before the models are destroyed
};

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_RETIRED_MODELS_H_
