#include "client/model_info_conversion.h"

#include "client/proto_conversion.h"

namespace slice {
namespace {

CalibrationInfo FromProto(const v1::CalibrationNumbers& numbers) {
  return {numbers.temperature(), numbers.offset(), numbers.decision_threshold(),
          numbers.base_rate(), numbers.rows()};
}

}  // namespace

ModelInfo FromProto(const v1::GetModelInfoResponse& reply) {
  ModelInfo info;
  info.model = reply.model();
  info.preset = reply.preset();
  info.created = reply.created();
  info.server_version = reply.server_version();
  info.device = reply.device();
  info.forward_path = reply.forward_path();
  for (const v1::ForwardTiming& timing : reply.forward_timings()) {
    info.forward_timings.push_back(
        {timing.forward_path(), timing.contexts(), timing.seconds()});
  }
  info.instruction_set = reply.instruction_set();
  info.contract_version = reply.contract_version();
  info.node_count = reply.node_count();
  info.link_count = reply.link_count();
  info.relations.assign(reply.relations().begin(), reply.relations().end());
  info.node_types.assign(reply.node_types().begin(), reply.node_types().end());
  info.embedding_dim = reply.embedding_dim();
  info.layers = reply.layers();
  info.heads = reply.heads();
  info.hidden_dim = reply.hidden_dim();
  info.context_strategy = reply.context_strategy();
  info.max_context_nodes = reply.max_context_nodes();
  info.own_pair_links = reply.own_pair_links();
  info.leaky = reply.leaky();
  info.scorer = reply.scorer();
  info.decision_threshold = reply.decision_threshold();
  info.temperature = reply.temperature();
  info.scorer_reason = reply.scorer_reason();
  info.among_kind_threshold = reply.among_kind_threshold();
  info.among_kind_temperature = reply.among_kind_temperature();
  info.base_rate = reply.base_rate();
  info.off_schema_margin = reply.off_schema_margin();
  for (const v1::RelationCalibration& one : reply.relation_calibrations()) {
    info.relation_calibrations.push_back(
        {one.relation(), FromProto(one.plausible()),
         FromProto(one.among_kind()), one.self_log_odds(),
         one.off_schema_log_odds()});
  }
  info.metrics.insert(reply.metrics().begin(), reply.metrics().end());
  info.graph_digest = reply.graph_digest();
  info.base_graph_version = reply.base_graph_version();
  for (const v1::PairFeatureInfo& feature : reply.pair_features()) {
    info.pair_features.push_back(
        {feature.name(), feature.group(), feature.description()});
  }
  info.seed = reply.seed();
  info.from = SourceOf(reply);
  return info;
}

}  // namespace slice
