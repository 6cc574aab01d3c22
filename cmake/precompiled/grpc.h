// Parsed once for server/ and its tests: gRPC and the wire contract.
#ifndef SLICE_CMAKE_PRECOMPILED_GRPC_H_
#define SLICE_CMAKE_PRECOMPILED_GRPC_H_

#include "cmake/precompiled/base.h"
#include "grpcpp/grpcpp.h"
#include "proto/slice/v1/link_prediction.grpc.pb.h"

#endif  // SLICE_CMAKE_PRECOMPILED_GRPC_H_
