// By what the server itself sees that it hangs. A busy server does not.
#ifndef SLICE_SERVER_SELF_CHECK_H_
#define SLICE_SERVER_SELF_CHECK_H_

#include <grpcpp/server.h>

#include "absl/time/time.h"
#include "server/pipeline/link_pipeline.h"

namespace slice {

// Whether links are taken from the queues of `pipeline`. An expired link leaves
// its queue with the next batch of its client, so a link that is still there
// after four times `max_deadline` is one that nobody takes. Logs a failure.
bool QueuesMove(const LinkPipeline& pipeline, absl::Duration max_deadline);

// Whether `server` answers a health check from inside the process within
// `limit`. Logs a failure.
bool AnswersItself(grpc::Server& server, absl::Duration limit);

}  // namespace slice

#endif  // SLICE_SERVER_SELF_CHECK_H_
