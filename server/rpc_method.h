// The RPCs of the server, by name.
#ifndef SLICE_SERVER_RPC_METHOD_H_
#define SLICE_SERVER_RPC_METHOD_H_

#include <string_view>

namespace slice {

enum class RpcMethod {
  kPredictLinks,
  kGetModelInfo,
  kListRelations,
  kFindNodes,
  kGetNeighbors,
  kHealthCheck,
  kHealthList,
  kHealthWatch,
  kGetQueueState,
  kStreamPredictLinks,
  kRecommendLinks,
  kReloadConfig,
  kListModels,
  kLoadModel,
  kPromoteModel,
  kUnloadModel,
  kSetDefault,
  kRollBack,
  kApplyUpdates,
  kStreamUpdates,
  kGetGraphState,
  kCreateCheckpoint,
};
inline constexpr int kRpcMethodCount = 22;

// Whether every call of the method is logged: what an operator does.
bool IsAudited(RpcMethod method);

// The two parts of the name of a method, such as "slice.v1.GraphService" and
// "GetNeighbors".
std::string_view RpcServiceName(RpcMethod method);
std::string_view RpcMethodName(RpcMethod method);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_METHOD_H_
