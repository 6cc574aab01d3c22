// Who asks for the links of a job, since when and until when.
#ifndef SLICE_SERVER_PIPELINE_JOB_ORIGIN_H_
#define SLICE_SERVER_PIPELINE_JOB_ORIGIN_H_

#include "absl/time/time.h"
#include "server/access/account.h"
#include "server/scheduling/work_item.h"

namespace slice {

// Who makes a call: the client that it is queued for, and the account that it
// is charged to.
struct CallOrigin {
  ClientId client = {};
  Account account = {};
};

struct JobOrigin {
  CallOrigin call = {};
  absl::Time admitted;
  absl::Time deadline;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_JOB_ORIGIN_H_
