// For each batch that it takes from the queue, an executor
//   1. ends the items that the queue dropped as late or cancelled,
//   2. assembles the encoded links into one ContextBatch; items that are late
//      or cancelled by then are ended and the batch is assembled anew, so that
//      no late item reaches the model,
//   3. calls the scorer, which predicts or explains,
//   4. moves the results to the items, reports the time to admission and to the
//      metrics, keeps answers in the result cache, and ends the items.
// When the scorer fails, all items of the batch end with its status.
#include "server/pipeline/model_executor.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "server/pipeline/evidence_weighing.h"
#include "server/scheduling/bulk_turns.h"
#include "server/scheduling/observed_batch.h"

namespace slice {
namespace {

ContextBatch AssembleItems(const std::vector<LinkItem*>& items) {
  std::vector<const EncodedLink*> links;
  links.reserve(items.size());
  for (const LinkItem* item : items) links.push_back(&item->encoded);
  return ContextBatch::Assemble(links);
}

absl::Status CheckCount(const char* what, size_t count, size_t expected) {
  if (count == expected) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("the model returned ", count, " ", what, " for ", expected));
}

absl::StatusOr<ExplainedBatch> Call(const BatchScorer& scorer, bool explain,
                                    const ContextBatch& batch) {
  if (explain) return scorer.Explain(batch);
  ExplainedBatch scored;
  SLICE_ASSIGN_OR_RETURN(scored.predictions, scorer.Predict(batch));
  return scored;
}

absl::Status CheckCounts(const ExplainedBatch& explained, size_t links,
                         size_t contexts) {
  SLICE_RETURN_IF_ERROR(
      CheckCount("attention matrices", explained.attention.size(), contexts));
  SLICE_RETURN_IF_ERROR(CheckCount("predictions by context",
                                   explained.context_predictions.size(),
                                   contexts));
  return CheckCount("lists of contributions", explained.contributions.size(),
                    links);
}

// Moves to each item the attention of its first context, what each context says
// if it has several, and the contributions of its pair features.
void TakeExplanations(const std::vector<LinkItem*>& items,
                      const ContextBatch& batch, ExplainedBatch& explained) {
  for (size_t row = 0; row < batch.row_link.size(); ++row) {
    LinkItem& item = *items[batch.row_link[row]];
    const bool first =
        row == 0 || batch.row_link[row] != batch.row_link[row - 1];
    if (item.encoded.contexts.size() > 1) {
      item.contexts.push_back(
          {explained.context_predictions[row], explained.attention[row]});
    }
    if (first) item.attention = std::move(explained.attention[row]);
  }
  for (size_t i = 0; i < items.size(); ++i) {
    items[i]->contributions = std::move(explained.contributions[i]);
  }
}

}  // namespace

ModelExecutor::ModelExecutor(ModelExecutorOptions options)
    : options_(std::move(options)),
      threads_(options_.lanes, std::max(1, options_.threads),
               [this](WorkLane lane) { Run(lane); }) {}

void ModelExecutor::Run(WorkLane lane) {
  const Admission& admission = *options_.admission;
  const bool is_bulk = lane == WorkLane::kBulk;
  BulkTurns turns(options_.clock, admission.options().bulk_share);
  for (LinkBatch batch; options_.queue->Take(lane, &batch);) {
    if (is_bulk) turns.Begin();
    RunTaken(batch);
    if (is_bulk) turns.End(admission.interactive_requests());
  }
}

void ModelExecutor::RunTaken(const LinkBatch& batch) {
  // The batch is reported before any item ends, because after that another item
  // may have the same address.
  const ObservedBatch observed(options_.observer, WorkStage::kModel,
                               batch.work());
  const absl::Time now = options_.clock->Now();
  for (LinkItem* item : batch.dropped()) {
    options_.end_item(*item, item->job->WhyDropped(now));
  }
  RunBatch(batch.items());
}

void ModelExecutor::DropUnwanted(absl::Time now, Items& items) {
  std::erase_if(items, [this, now](LinkItem* item) {
    absl::Status wanted = item->job->CheckWanted(now);
    if (wanted.ok()) return false;
    options_.end_item(*item, std::move(wanted));
    return true;
  });
}

void ModelExecutor::RunBatch(Items items) {
  // A deadline may pass while a batch is assembled. So the items are checked
  // again just before the model starts.
  ContextBatch batch;
  absl::Time start;
  while (!items.empty()) {
    batch = AssembleItems(items);
    const size_t assembled = items.size();
    start = options_.clock->Now();
    DropUnwanted(start, items);
    if (items.size() == assembled) break;
  }
  if (items.empty()) return;
  const absl::Status scored = Score(items, batch, start);
  if (!scored.ok()) {
    LogError("a batch of %d links failed: %s", items.size(),
             std::string(scored.message()));
  }
  for (LinkItem* item : items) {
    if (!item->job->explain()) {
      options_.encoded->Give(std::exchange(item->encoded, {}));
    }
    if (scored.ok()) KeepAnswer(*item);
    options_.end_item(*item, scored);
  }
}

void ModelExecutor::KeepAnswer(const LinkItem& item) {
  if (!options_.results->enabled() || item.job->graph().is_imagined()) return;
  options_.results->Insert(item.job->KeyOf(item.link),
                           std::make_shared<const LinkAnswer>(item));
}

void ModelExecutor::ReportCost(const Items& items, absl::Duration elapsed) {
  std::array<size_t, kRequestClasses> costs = {};
  for (const LinkItem* item : items) {
    const ServiceOrder order = item->order();
    costs[static_cast<size_t>(order.request_class)] += order.cost;
  }
  const size_t whole = std::accumulate(costs.begin(), costs.end(), size_t{0});
  for (int i = 0; i < kRequestClasses; ++i) {
    options_.admission->ReportCost(
        WorkStage::kModel, static_cast<RequestClass>(i), costs[i],
        options_.threads,
        elapsed * (static_cast<double>(costs[i]) / static_cast<double>(whole)));
  }
}

absl::Status ModelExecutor::Score(const Items& items, const ContextBatch& batch,
                                  absl::Time start) {
  options_.metrics->BatchFormed(items.size(), batch.PaddingRatio());
  for (const LinkItem* item : items) {
    if (item->job->deadline() <= start) options_.metrics->ExpiredOnModel(1);
  }
  const LinkJob& first = *items.front()->job;
  const BatchScorer& scorer = *first.model().scorer;
  absl::StatusOr<ExplainedBatch> scored = Call(scorer, first.explain(), batch);
  SLICE_RETURN_IF_ERROR(scored.status());
  SLICE_RETURN_IF_ERROR(
      CheckCount("predictions", scored->predictions.size(), items.size()));
  for (size_t i = 0; i < items.size(); ++i) {
    items[i]->prediction = scored->predictions[i];
  }
  if (first.explain()) {
    SLICE_RETURN_IF_ERROR(
        CheckCounts(*scored, items.size(), batch.row_link.size()));
    TakeExplanations(items, batch, *scored);
  }
  for (LinkItem* item : items) item->Read(item->job->reading());
  if (first.explain()) SLICE_RETURN_IF_ERROR(AddEvidence(items));
  const absl::Duration elapsed = options_.clock->Now() - start;
  options_.metrics->StageTook(Stage::kModel, elapsed);
  ReportCost(items, elapsed);
  for (LinkItem* item : items) {
    item->model_time = elapsed;
    item->batch_size = items.size();
    const absl::Duration waited = start - item->enqueued;
    item->queue_time += waited;
    options_.metrics->StageTook(Stage::kBatchQueue, waited);
  }
  return absl::OkStatus();
}

}  // namespace slice
