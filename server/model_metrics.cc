#include "server/model_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include "server/grpc_status.h"

namespace slice {
namespace {

using Buckets = prometheus::Histogram::BucketBoundaries;

}  // namespace

const std::vector<double>& SecondsBuckets() {
  static const Buckets* const kBuckets =
      new Buckets{0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001,
                  0.0025,  0.005,    0.01,    0.025,  0.05,    0.1,    0.25,
                  0.5,     1,        2.5,     5,      10,      30};
  return *kBuckets;
}

ModelMetrics::ModelMetrics(prometheus::Registry& registry)
    : requests_(prometheus::BuildCounter()
                    .Name("slice_model_requests_total")
                    .Help("Requests for predictions and recommendations that "
                          "ended, by the model that they asked; those of "
                          "streams too.")
                    .Register(registry)),
      seconds_(prometheus::BuildHistogram()
                   .Name("slice_model_request_seconds")
                   .Help("Time from the arrival of such a request to its "
                         "answer, failures included.")
                   .Register(registry)),
      shadow_differences_(
          prometheus::BuildHistogram()
              .Name("slice_shadow_probability_difference")
              .Help("Difference between the probabilities of the version that "
                    "answered and of the shadow candidate.")
              .Register(registry)),
      shadow_failures_(
          prometheus::BuildCounter()
              .Name("slice_shadow_failures_total")
              .Help("Links that a shadow candidate did not score, for want of "
                    "room or by an error.")
              .Register(registry)) {}

void ModelMetrics::Answered(const std::string& model, int code,
                            absl::Duration took) {
  requests_
      .Add({{"model", model}, {"grpc_code", std::string(GrpcCodeName(code))}})
      .Increment();
  seconds_.Add({{"model", model}}, SecondsBuckets())
      .Observe(absl::ToDoubleSeconds(took));
}

void ModelMetrics::ShadowScored(const std::string& model, double difference) {
  shadow_differences_
      .Add({{"model", model}},
           Buckets{0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1})
      .Observe(difference);
  shadow_failures_.Add({{"model", model}});  // 0 is a value, too
}

void ModelMetrics::ShadowFailed(const std::string& model) {
  shadow_failures_.Add({{"model", model}}).Increment();
}

}  // namespace slice
