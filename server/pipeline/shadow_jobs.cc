#include "server/pipeline/shadow_jobs.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "common/random.h"

namespace slice {
namespace {

// A shadow that is later than this says nothing about the model.
constexpr absl::Duration kShadowTime = absl::Seconds(10);

// All shadows are one client.
ClientId ShadowClient() {
  static const uint64_t id = HashBytes("slice: shadow candidates") | 1;
  return ClientId(id);
}

uint64_t HashOfNode(uint64_t hash, const v1::NodeRef& node) {
  for (const std::string* text : {&node.key(), &node.name(), &node.type()}) {
    hash = CombineHash(hash, HashBytes(*text));
  }
  return hash;
}

// Scores a request again, and compares. Deletes itself.
class ShadowJob final : public LinkJob {
 public:
  // The probabilities of the links that were answered.
  using Answers = std::vector<std::optional<double>>;

  ShadowJob(std::unique_ptr<v1::PredictLinksRequest> request,
            std::shared_ptr<const ServedModel> model, const JobOrigin& origin,
            Answers answers, ServerMetrics* metrics)
      : LinkJob(request.get(), std::move(model), origin),
        request_(std::move(request)),
        answers_(std::move(answers)),
        metrics_(metrics) {}

  size_t Reply() override {
    for (size_t i = 0; i < answers_.size(); ++i) {
      if (!answers_[i].has_value()) continue;
      const LinkItem& item = items()[i];
      if (item.status.ok()) {
        metrics_->models().ShadowScored(
            model().name, std::abs(item.prediction.probability - *answers_[i]));
      } else {
        metrics_->models().ShadowFailed(model().name);
      }
    }
    delete this;
    return 0;
  }

 private:
  const std::unique_ptr<v1::PredictLinksRequest> request_;
  const Answers answers_;
  ServerMetrics* const metrics_;
};

}  // namespace

TrialKeys TrialKeysOf(const Account& account,
                      const v1::PredictLinksRequest& request) {
  TrialKeys keys = {.identity = account.id};
  if (request.links_size() == 0) return keys;
  const v1::LinkRef& link = request.links(0);
  keys.link = HashOfNode(HashOfNode(HashBytes(link.relation()), link.source()),
                         link.target());
  return keys;
}

void ShadowJobs::Start(const LinkJob& answered) {
  if (!registry_->HasCandidates() || answered.cancelled()) return;
  auto candidate = registry_->ShadowOf(
      answered.model(),
      TrialKeysOf(answered.caller().account, answered.request()));
  if (candidate == nullptr) return;
  auto request = std::make_unique<v1::PredictLinksRequest>(answered.request());
  request->set_request_class(v1::REQUEST_CLASS_BULK);
  request->set_explanation_level(v1::EXPLANATION_LEVEL_NONE);
  ShadowJob::Answers answers;
  for (const LinkItem& item : answered.items()) {
    answers.push_back(item.status.ok()
                          ? std::optional<double>(item.prediction.probability)
                          : std::nullopt);
  }
  const absl::Time now = clock_->Now();
  const CallOrigin nobody = {ShadowClient(), {.id = ShadowClient().host}};
  const std::string name = candidate->name;
  const size_t links = answers.size();
  auto job = std::make_unique<ShadowJob>(
      std::move(request), std::move(candidate),
      JobOrigin{nobody, now, now + kShadowTime}, std::move(answers), metrics_);
  // A candidate without this scorer is not tried on the request.
  const bool can_score =
      job->model().CheckScorer(answered.request().scorer()).ok();
  if (can_score && start_(job.get()).ok()) {
    (void)job.release();  // it deletes itself when it has been answered
    return;
  }
  for (size_t i = 0; i < links; ++i) metrics_->models().ShadowFailed(name);
}

}  // namespace slice
