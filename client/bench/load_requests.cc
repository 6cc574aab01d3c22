// Requests are built and serialised before the load starts, so that sending one
// takes little time during the load. There are one or two groups of requests. A
// load of one class has groups_[0] alone. A mix, which is a load with a share
// of bulk calls, has its interactive requests in groups_[0] and its bulk
// requests in groups_[1]. Calls of both groups share one sequence of numbers;
// call n sends request n modulo the size of its group.
#include "client/bench/load_requests.h"

#include <set>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "client/proto_conversion.h"
#include "common/random.h"
#include "grpcpp/support/proto_buffer_reader.h"

namespace slice {
namespace {

v1::ExplanationLevel LevelOf(const std::string& explanation) {
  if (explanation == "context") return v1::EXPLANATION_LEVEL_CONTEXT;
  if (explanation == "full") return v1::EXPLANATION_LEVEL_FULL;
  return v1::EXPLANATION_LEVEL_NONE;
}

v1::RequestClass ToProto(LoadClass load_class) {
  switch (load_class) {
    case LoadClass::kInteractive:
      return v1::REQUEST_CLASS_INTERACTIVE;
    case LoadClass::kBulk:
      return v1::REQUEST_CLASS_BULK;
    case LoadClass::kDefault:
      break;
  }
  return v1::REQUEST_CLASS_UNSPECIFIED;
}

// Changes at `count` different links from position `first` on, as many as there
// are: links of a file are added, those drawn from the graph are removed.
WhatIfQuery ChangesAt(absl::Span<const LinkQuery> links, size_t first,
                      const BenchOptions& options) {
  WhatIfQuery query;
  std::vector<LinkQuery>& changed =
      options.links_path.empty() ? query.removed_links : query.added_links;
  std::set<std::tuple<std::string, std::string, std::string>> known;
  const auto count = static_cast<size_t>(options.what_if_changes);
  for (size_t i = 0; i < links.size() && changed.size() < count; ++i) {
    const LinkQuery& link = links[(first + i) % links.size()];
    if (known.insert({link.source.text, link.relation, link.target.text})
            .second)
      changed.push_back(link);
  }
  return query;
}

std::vector<grpc::ByteBuffer> Serialized(absl::Span<const LinkQuery> links,
                                         size_t per_rpc,
                                         const BenchOptions& options,
                                         v1::PredictLinksRequest request) {
  std::vector<grpc::ByteBuffer> requests;
  for (size_t first = 0; first < links.size(); first += per_rpc) {
    request.clear_links();
    for (size_t i = first; i < first + per_rpc; ++i)
      ToProto(links[i % links.size()], request.add_links());
    if (options.what_if_changes > 0) {
      request.clear_what_if();
      ToProto(ChangesAt(links, first + per_rpc, options),
              request.mutable_what_if());
    }
    const grpc::Slice bytes(request.SerializeAsString());
    requests.emplace_back(&bytes, 1);
  }
  return requests;
}

}  // namespace

LoadRequests::LoadRequests(absl::Span<const LinkQuery> links,
                           const LinkClient::Options& client,
                           const BenchOptions& options)
    : bulk_share_(options.bulk_share), seed_(options.seed) {
  v1::PredictLinksRequest request;
  request.set_model(client.model);
  request.set_scorer(client.scorer);
  request.set_explanation_level(LevelOf(options.explanation));
  const auto fill = [&](LoadClass load_class, int per_rpc, Group* group) {
    request.set_request_class(ToProto(load_class));
    *group = {Serialized(links, static_cast<size_t>(per_rpc), options, request),
              load_class, per_rpc};
  };
  if (!options.mixed()) {
    fill(options.load_class, options.links_per_rpc, &groups_[0]);
    return;
  }
  fill(LoadClass::kInteractive, options.links_per_rpc, &groups_[0]);
  fill(LoadClass::kBulk, options.bulk_links_per_rpc, &groups_[1]);
}

bool LoadRequests::IsBulk(uint64_t number) const {
  if (groups_[1].requests.empty()) return false;
  return Random(CombineHash(seed_, number)).Uniform() < bulk_share_;
}

LoadRequests::Picked LoadRequests::Pick(uint64_t number) const {
  const Group& group = groups_[IsBulk(number) ? 1 : 0];
  return {&group.requests[number % group.requests.size()], group.load_class,
          group.links};
}

void ReadReply(grpc::ByteBuffer* bytes, int links,
               v1::PredictLinksResponse* scratch, FinishedCall* finished) {
  grpc::ProtoBufferReader reader(bytes);
  if (!scratch->ParseFromZeroCopyStream(&reader) || !reader.status().ok()) {
    finished->status = absl::InternalError("the reply cannot be parsed");
    return;
  }
  if (scratch->results_size() != links) {
    finished->status = absl::InternalError(absl::StrCat(
        "the server answered ", scratch->results_size(), " links of ", links));
    return;
  }
  for (const v1::LinkResult& result : scratch->results()) {
    if (result.status().code() == 0) {
      ++finished->links;
      continue;
    }
    const auto code = static_cast<absl::StatusCode>(result.status().code());
    ++finished->link_errors[code];
    if (finished->first_link_error.ok())
      finished->first_link_error =
          absl::Status(code, result.status().message());
  }
}

}  // namespace slice
