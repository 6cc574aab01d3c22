// The headers of gRPC and of the wire contract, precompiled once for server/
// and its tests.
#ifndef SLICE_CMAKE_PRECOMPILED_GRPC_H_
#define SLICE_CMAKE_PRECOMPILED_GRPC_H_

#include "cmake/precompiled/base.h"
#include "grpcpp/grpcpp.h"
#include "slice/v1/link_prediction.grpc.pb.h"

#endif  // SLICE_CMAKE_PRECOMPILED_GRPC_H_
