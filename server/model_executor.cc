#include "server/model_executor.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/logging.h"
#include "common/status_macros.h"

namespace slice {
namespace {

LinkTask& AsLinkTask(const std::unique_ptr<BatchTask>& task) {
  return static_cast<LinkTask&>(*task);
}

ContextBatch AssembleTasks(
    const std::vector<std::unique_ptr<BatchTask>>& tasks) {
  std::vector<const EncodedLink*> links;
  links.reserve(tasks.size());
  for (const auto& task : tasks) links.push_back(&AsLinkTask(task).encoded());
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

// Moves the attention of each link's first context and what its pair features
// contribute to its item.
void TakeReasons(const std::vector<std::unique_ptr<BatchTask>>& tasks,
                 const ContextBatch& batch, ExplainedBatch& explained) {
  for (size_t row = batch.row_link.size(); row-- > 0;) {
    LinkItem& item = AsLinkTask(tasks[batch.row_link[row]]).item();
    item.attention = std::move(explained.attention[row]);
  }
  for (size_t i = 0; i < tasks.size(); ++i) {
    AsLinkTask(tasks[i]).item().contributions =
        std::move(explained.contributions[i]);
  }
}

}  // namespace

ModelExecutor::ModelExecutor(ModelExecutorOptions options)
    : options_(std::move(options)) {
  for (int i = 0; i < std::max(1, options_.threads); ++i) {
    threads_.emplace_back([this] { Run(); });
  }
}

ModelExecutor::~ModelExecutor() {
  for (std::thread& thread : threads_) thread.join();
}

void ModelExecutor::Run() {
  while (std::optional<Batch> batch = options_.scheduler->Take()) {
    const absl::Time now = options_.clock->Now();
    for (const auto& task : batch->dropped) {
      const LinkTask& dropped = AsLinkTask(task);
      absl::Status reason = dropped.job()->CheckWanted(now);
      if (reason.ok()) reason = absl::DeadlineExceededError("dropped as late");
      options_.end_item(dropped, std::move(reason));
    }
    RunBatch(std::move(batch->tasks));
  }
}

void ModelExecutor::DropUnwanted(absl::Time now, Tasks& tasks) {
  std::erase_if(tasks, [this, now](const std::unique_ptr<BatchTask>& task) {
    const LinkTask& link_task = AsLinkTask(task);
    absl::Status wanted = link_task.job()->CheckWanted(now);
    if (wanted.ok()) return false;
    options_.end_item(link_task, std::move(wanted));
    return true;
  });
}

void ModelExecutor::RunBatch(Tasks tasks) {
  // Laying out a batch takes time in which a deadline may pass: what starts on
  // the model is checked at the moment it starts.
  ContextBatch batch;
  absl::Time start;
  while (!tasks.empty()) {
    batch = AssembleTasks(tasks);
    const size_t assembled = tasks.size();
    start = options_.clock->Now();
    DropUnwanted(start, tasks);
    if (tasks.size() == assembled) break;
  }
  if (tasks.empty()) return;
  const absl::Status scored = Score(tasks, batch, start);
  if (!scored.ok()) {
    LogError("a batch of %d links failed: %s", tasks.size(),
             std::string(scored.message()));
  }
  for (const auto& task : tasks) {
    LinkTask& link_task = AsLinkTask(task);
    if (link_task.job()->explain()) {
      link_task.item().encoded = std::move(link_task.encoded());
    }
    options_.end_item(link_task, scored);
  }
}

absl::Status ModelExecutor::Score(const Tasks& tasks, const ContextBatch& batch,
                                  absl::Time start) {
  options_.metrics->BatchFormed(tasks.size(), batch.PaddingRatio());
  const auto expired = std::count_if(
      tasks.begin(), tasks.end(),
      [start](const auto& task) { return task->deadline() <= start; });
  if (expired > 0) options_.metrics->ExpiredOnModel(expired);

  const LinkJob& first = *AsLinkTask(tasks.front()).job();
  const BatchScorer& scorer = *first.model().scorer;
  absl::StatusOr<ExplainedBatch> scored = Call(scorer, first.explain(), batch);
  const absl::Duration elapsed = options_.clock->Now() - start;
  options_.metrics->StageTook(Stage::kModel, elapsed);
  options_.admission->ReportCost(WorkStage::kModel, tasks.size(),
                                 options_.threads, elapsed);
  SLICE_RETURN_IF_ERROR(scored.status());
  SLICE_RETURN_IF_ERROR(
      CheckCount("predictions", scored->predictions.size(), tasks.size()));
  if (first.explain()) {
    SLICE_RETURN_IF_ERROR(CheckCount(
        "attention matrices", scored->attention.size(), batch.row_link.size()));
    SLICE_RETURN_IF_ERROR(CheckCount(
        "lists of contributions", scored->contributions.size(), tasks.size()));
    TakeReasons(tasks, batch, *scored);
  }
  for (size_t i = 0; i < tasks.size(); ++i) {
    const LinkTask& task = AsLinkTask(tasks[i]);
    LinkItem& item = task.item();
    item.prediction = scored->predictions[i];
    item.prediction.Read(task.job()->reading());
    item.model_time = elapsed;
    item.batch_size = tasks.size();
    const absl::Duration waited = start - task.enqueued();
    item.queue_time += waited;
    options_.metrics->StageTook(Stage::kBatchQueue, waited);
  }
  return absl::OkStatus();
}

}  // namespace slice
