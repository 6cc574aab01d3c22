// Metrics of the graphs that are served, read at each scrape.
#ifndef SLICE_SERVER_GRAPH_METRICS_H_
#define SLICE_SERVER_GRAPH_METRICS_H_

#include "server/models/model_registry.h"
#include "server/server_metrics.h"

namespace slice {

// By the name of the model; models of one graph have the same values. The
// registry must outlive ServerMetrics::ClearSampledMetrics.
void AddGraphMetrics(const ModelRegistry* registry, ServerMetrics* metrics);
// The same of the graphs that follow a change feed.
void AddFeedMetrics(const ModelRegistry* registry, ServerMetrics* metrics);

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_METRICS_H_
