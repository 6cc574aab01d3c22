// Metrics whose values are read from the parts of a server at each scrape. The
// parts must outlive ServerMetrics::ClearSampledMetrics.
#ifndef SLICE_SERVER_PART_METRICS_H_
#define SLICE_SERVER_PART_METRICS_H_

#include <string>

#include "model/device_health.h"
#include "server/access/access_control.h"
#include "server/access/quotas.h"
#include "server/config_reloader.h"
#include "server/models/model_deployment.h"
#include "server/models/model_registry.h"
#include "server/pipeline/link_pipeline.h"
#include "server/scheduling/task_queue.h"
#include "server/server_metrics.h"
#include "server/transport/connection_listener.h"
#include "server/transport/tls_certificates.h"

namespace slice {

// What waits, and the bound of each queue.
void AddPipelineMetrics(const LinkPipeline* pipeline, ServerMetrics* metrics);
void AddTaskMetrics(const TaskQueue* recommendations, const TaskQueue* lookups,
                    ServerMetrics* metrics);
// Adds nothing when the configuration cannot be read again (null).
void AddReloadMetrics(const ConfigReloader* reloader, ServerMetrics* metrics);
void AddAccessMetrics(const AccessControl* access, ServerMetrics* metrics);
// What each identity has asked of the server.
void AddQuotaMetrics(const Quotas* quotas, ServerMetrics* metrics);
void AddConnectionMetrics(const ConnectionListener* listener,
                          ServerMetrics* metrics);
// Adds nothing when there are no certificates (null).
void AddTlsMetrics(const TlsCertificates* certificates, ServerMetrics* metrics);
void AddModelMetrics(const ModelRegistry* registry,
                     const ModelDeployment* deployment, ServerMetrics* metrics);
void AddDeviceMetrics(const DeviceHealth* health, const std::string& device,
                      ServerMetrics* metrics);

}  // namespace slice

#endif  // SLICE_SERVER_PART_METRICS_H_
