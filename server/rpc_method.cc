#include "server/rpc_method.h"

namespace slice {

bool IsAudited(RpcMethod method) {
  return method == RpcMethod::kGetQueueState ||
         method == RpcMethod::kReloadConfig;
}

std::string_view RpcServiceName(RpcMethod method) {
  switch (method) {
    case RpcMethod::kGetNeighbors:
      return "slice.v1.GraphService";
    case RpcMethod::kHealthCheck:
    case RpcMethod::kHealthList:
    case RpcMethod::kHealthWatch:
      return "grpc.health.v1.Health";
    case RpcMethod::kGetQueueState:
    case RpcMethod::kReloadConfig:
      return "slice.v1.AdminService";
    default:
      return "slice.v1.LinkPredictionService";
  }
}

std::string_view RpcMethodName(RpcMethod method) {
  static constexpr std::string_view kNames[kRpcMethodCount] = {
      "PredictLinks",   "GetModelInfo",
      "ListRelations",  "FindNodes",
      "GetNeighbors",   "Check",
      "List",           "Watch",
      "GetQueueState",  "StreamPredictLinks",
      "RecommendLinks", "ReloadConfig"};
  return kNames[static_cast<int>(method)];
}

}  // namespace slice
