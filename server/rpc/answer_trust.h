// Fills what the replies say about how far an answer can be trusted: the flags
// of a link, and the calibration of a model.
#ifndef SLICE_SERVER_RPC_ANSWER_TRUST_H_
#define SLICE_SERVER_RPC_ANSWER_TRUST_H_

#include "graphstore/types.h"
#include "model/bundle_manifest.h"
#include "model/prediction.h"
#include "server/models/served_model.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// The flags of `link`, which `prediction` answers.
void FillFlags(const ModelOnGraph& served, const Link& link,
               const Prediction& prediction, v1::LinkFlags* flags);

// The calibrations of a model: of all relations together, and of each.
void FillCalibrations(const BundleManifest& manifest,
                      v1::GetModelInfoResponse* response);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_ANSWER_TRUST_H_
