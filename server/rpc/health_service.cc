// Check and List read the map of statuses. A Watch is a WatchStream, which the
// service owns until gRPC is done with it. Changes work in two steps:
//   1. under the locks, WantStatus or WantFinish notes in the stream what is
//      to be sent
//   2. without a lock, Proceed starts the next write or the finish; when a
//      write is under way, its end calls Proceed again
// So at most one write is under way per stream, and a slow reader gets only the
// newest status.
#include "server/rpc/health_service.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/grpc_status.h"
#include "server/limits.h"
#include "server/rpc/rpc_record.h"
#include "server/rpc/unary_call.h"
#include "server/transport/peer_address.h"

namespace slice {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;
using grpc::health::v1::HealthListRequest;
using grpc::health::v1::HealthListResponse;

}  // namespace

// One open Watch.
class HealthService::WatchStream final
    : public grpc::ServerWriteReactor<HealthCheckResponse>,
      public std::enable_shared_from_this<WatchStream> {
 public:
  WatchStream(HealthService* service, std::string service_name,
              std::string host, const RpcRecord& record)
      : service_(service),
        service_name_(std::move(service_name)),
        host_(std::move(host)),
        record_(record) {}

  const std::string& service_name() const { return service_name_; }
  const std::string& host() const { return host_; }

  // These two only note what is to be sent; Proceed sends it.
  void WantStatus(HealthService::Status status) {
    MutexLock lock(&mutex_);
    pending_ = status;
  }
  void WantFinish(absl::Status status) {
    MutexLock lock(&mutex_);
    if (!finish_.has_value()) finish_ = std::move(status);
  }

  // Starts the next write or finishes, unless a write is under way.
  void Proceed() {
    std::optional<absl::Status> finish;
    {
      MutexLock lock(&mutex_);
      if (writing_ || finished_) return;
      if (finish_.has_value()) {
        finish = finish_;
        finished_ = true;
      } else if (pending_.has_value()) {
        message_.set_status(*pending_);
        pending_.reset();
        writing_ = true;
      } else {
        return;
      }
    }
    if (finish.has_value()) {
      record_.Handled(static_cast<int>(finish->code()));
      Finish(ToGrpcStatus(*finish));
    } else {
      StartWrite(&message_);
    }
  }

  void OnWriteDone(bool ok) override {
    {
      MutexLock lock(&mutex_);
      writing_ = false;
    }
    if (!ok) WantFinish(absl::CancelledError("the watcher left"));
    Proceed();
  }

  void OnCancel() override {
    WantFinish(absl::CancelledError("the watcher left"));
    Proceed();
  }

  void OnDone() override { service_->Remove(shared_from_this()); }

 private:
  HealthService* const service_;
  const std::string service_name_;
  const std::string host_;
  const RpcRecord record_;

  // Written only while writing_ is false, read by gRPC while it is true.
  HealthCheckResponse message_;

  Mutex mutex_;
  std::optional<HealthService::Status> pending_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> finish_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

HealthService::HealthService(const std::vector<std::string>& services,
                             ServerMetrics* metrics, const Clock* clock)
    : metrics_(metrics), clock_(clock) {
  statuses_[""] = HealthCheckResponse::SERVING;
  for (const std::string& service : services) {
    statuses_[service] = HealthCheckResponse::NOT_SERVING;
  }
}

void HealthService::SetReady(bool ready) {
  const Status status =
      ready ? HealthCheckResponse::SERVING : HealthCheckResponse::NOT_SERVING;
  WatchStreams changed;
  {
    MutexLock lock(&mutex_);
    for (auto& [service, current] : statuses_) {
      if (!service.empty()) current = status;
    }
    for (const auto& stream : streams_) {
      const std::string& service = stream->service_name();
      if (service.empty() || statuses_.count(service) == 0) continue;
      stream->WantStatus(status);
      changed.push_back(stream);
    }
  }
  for (const auto& stream : changed) stream->Proceed();
}

void HealthService::FinishWatches() {
  WatchStreams streams;
  {
    MutexLock lock(&mutex_);
    finished_ = true;
    streams.assign(streams_.begin(), streams_.end());
  }
  for (const auto& stream : streams) {
    stream->WantFinish(absl::UnavailableError("the server is stopping"));
    stream->Proceed();
  }
}

void HealthService::Remove(const std::shared_ptr<WatchStream>& stream) {
  MutexLock lock(&mutex_);
  streams_.erase(stream);
  const auto of_host = streams_of_host_.find(stream->host());
  if (--of_host->second == 0) streams_of_host_.erase(of_host);
}

grpc::ServerUnaryReactor* HealthService::Check(
    grpc::CallbackServerContext* context, const HealthCheckRequest* request,
    HealthCheckResponse* response) {
  const RpcRecord record(RpcMethod::kHealthCheck, metrics_, clock_);
  absl::Status status;
  {
    MutexLock lock(&mutex_);
    const auto found = statuses_.find(request->service());
    if (found != statuses_.end()) {
      response->set_status(found->second);
    } else {
      status = absl::NotFoundError("unknown service");
    }
  }
  return FinishUnary(context, record, status);
}

grpc::ServerUnaryReactor* HealthService::List(
    grpc::CallbackServerContext* context, const HealthListRequest* request,
    HealthListResponse* response) {
  const RpcRecord record(RpcMethod::kHealthList, metrics_, clock_);
  {
    MutexLock lock(&mutex_);
    for (const auto& [service, status] : statuses_) {
      (*response->mutable_statuses())[service].set_status(status);
    }
  }
  return FinishUnary(context, record, absl::OkStatus());
}

grpc::ServerWriteReactor<HealthCheckResponse>* HealthService::Watch(
    grpc::CallbackServerContext* context, const HealthCheckRequest* request) {
  auto stream = std::make_shared<WatchStream>(
      this, request->service(), PeerHost(context->peer()),
      RpcRecord(RpcMethod::kHealthWatch, metrics_, clock_));
  {
    MutexLock lock(&mutex_);
    if (finished_) {
      stream->WantFinish(absl::UnavailableError("the server is stopping"));
    } else if (streams_.size() >= kMaxWatchStreams) {
      stream->WantFinish(absl::ResourceExhaustedError(
          absl::StrCat("at most ", kMaxWatchStreams, " watches may be open")));
    } else if (streams_of_host_[stream->host()] >= kMaxWatchStreamsOfHost) {
      stream->WantFinish(absl::ResourceExhaustedError(
          absl::StrCat("at most ", kMaxWatchStreamsOfHost,
                       " watches of one host may be open")));
    } else {
      const auto found = statuses_.find(request->service());
      stream->WantStatus(found != statuses_.end()
                             ? found->second
                             : HealthCheckResponse::SERVICE_UNKNOWN);
    }
    streams_.insert(stream);
    ++streams_of_host_[stream->host()];
  }
  stream->Proceed();
  return stream.get();
}

}  // namespace slice
