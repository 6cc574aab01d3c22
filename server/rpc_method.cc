#include "server/rpc_method.h"

namespace slice {
namespace {

constexpr std::string_view kAdminService = "slice.v1.AdminService";

}  // namespace

bool IsAudited(RpcMethod method) {
  return RpcServiceName(method) == kAdminService;
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
    case RpcMethod::kListModels:
    case RpcMethod::kLoadModel:
    case RpcMethod::kPromoteModel:
    case RpcMethod::kUnloadModel:
    case RpcMethod::kSetDefault:
    case RpcMethod::kRollBack:
    case RpcMethod::kCreateCheckpoint:
      return kAdminService;
    case RpcMethod::kApplyUpdates:
    case RpcMethod::kStreamUpdates:
    case RpcMethod::kGetGraphState:
      return "slice.v1.GraphUpdateService";
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
      "RecommendLinks", "ReloadConfig",
      "ListModels",     "LoadModel",
      "PromoteModel",   "UnloadModel",
      "SetDefault",     "RollBack",
      "ApplyUpdates",   "StreamUpdates",
      "GetGraphState",  "CreateCheckpoint"};
  return kNames[static_cast<int>(method)];
}

}  // namespace slice
