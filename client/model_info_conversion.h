// Converts what a server says about its model.
#ifndef SLICE_CLIENT_MODEL_INFO_CONVERSION_H_
#define SLICE_CLIENT_MODEL_INFO_CONVERSION_H_

#include "client/model_info.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

ModelInfo FromProto(const v1::GetModelInfoResponse& reply);

}  // namespace slice

#endif  // SLICE_CLIENT_MODEL_INFO_CONVERSION_H_
