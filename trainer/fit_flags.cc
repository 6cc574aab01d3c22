#include "trainer/fit_flags.h"

#include <algorithm>
#include <initializer_list>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"

namespace slice {

namespace {

// An option whose text, one of `names`, `parse` turns into `value`.
template <typename T>
void AddParsed(CLI::App* command, const std::string& name,
               absl::StatusOr<T> (*parse)(std::string_view), T& value,
               std::initializer_list<const char*> names,
               const std::string& description) {
  CLI::Option* option = command->add_option_function<std::string>(
      name,
      [parse, &value](const std::string& text) {
        const absl::StatusOr<T> parsed = parse(text);
        if (!parsed.ok()) {
          throw CLI::ValidationError(std::string(parsed.status().message()));
        }
        value = *parsed;
      },
      absl::StrCat(description, ": ", absl::StrJoin(names, ", ")));
  for (const char* candidate : names) {
    const absl::StatusOr<T> parsed = parse(candidate);
    if (parsed.ok() && *parsed == value) option->default_str(candidate);
  }
}

// The help names no default that is nothing: an empty path or list.
void HideEmptyDefaults(CLI::App* command) {
  for (CLI::Option* option : command->get_options()) {
    const std::string text = option->get_default_str();
    if (text == "\"\"" || text == "[]" || text == "{}") option->default_str("");
  }
}

}  // namespace

void AddFitFiles(CLI::App* command, FitFlags& flags) {
  FitOptions& o = flags.options;
  command->add_option("--train", o.train, "Links to learn from")->required();
  command->add_option("--valid", o.valid, "Labelled links to tune on")
      ->required();
  command->add_option("--test", o.test, "Labelled links to report on")
      ->required();
  command->add_option("--nodes", o.nodes, "Node file: key, type, name");
  command->add_option("--columns", flags.columns,
                      "What the columns of the link files hold, such as "
                      "source,relation,target,weight; _ to skip one");
  command
      ->add_option("--attribute_columns,--attribute-columns",
                   o.files.attribute_columns,
                   "Columns of the node file, named in its header, that hold "
                   "numbers")
      ->delimiter(',');
  command->add_option("--attributes", o.attribute_matrix,
                      "A .npy matrix of numbers per node");
  command->add_option("--held_out_columns,--held-out-columns",
                      flags.held_out_columns,
                      "Of valid and test, when not those of --columns with a "
                      "label behind them");
  command->add_option("--out", o.out, "The bundle; work is kept in OUT.work")
      ->required();
  command->add_flag("--json", flags.json, "Print the report as JSON");
}

void AddFitSettings(CLI::App* command, FitFlags& flags) {
  FitOptions& o = flags.options;
  command->option_defaults()->always_capture_default();
  command
      ->add_option_function<std::string>(
          "--preset",
          [&o](const std::string& name) {
            const absl::Status status = o.ApplyPreset(name);
            if (!status.ok()) {
              throw CLI::ValidationError(std::string(status.message()));
            }
          },
          "default, fast (the structural scorer alone), paper (4 x 4 "
          "attention, dot product) or paper-leaky (trained on the held-out "
          "links as published; for comparison only); the defaults below are "
          "those of default")
      ->default_str(o.preset)
      ->trigger_on_parse();
  command->add_option("--seed", o.seed, "Of everything random");
  command->add_option("--show", o.shown,
                      "\"RELATION SOURCE TARGET\": the report shows its "
                      "attention");
  command
      ->add_option("--threads", o.threads,
                   "0: all; 1: the same result at every run")
      ->check(CLI::Range(0, 1024));
  command->add_flag("--strict_pairs,--strict-pairs", o.strict_pairs,
                    "Refuse held-out pairs linked in train in any way");
  command->add_option("--own_pair_links,--own-pair-links", o.own_pair_links,
                      "hide, or reveal a pair's other links");
  command->add_option("--folds", o.folds,
                      "Parts of the train links (docs/leakage.md)");
  command
      ->add_option_function<std::string>(
          "--plant_leak",
          [&o](const std::string& name) {
            const auto leak = ParsePlantedLeak(name);
            if (!leak.ok()) {
              throw CLI::ValidationError(std::string(leak.status().message()));
            }
            o.planted_leak = *leak;
          },
          "Show what a leak costs: own_link, seen_negatives or test_links; "
          "publishes nothing")
      ->trigger_on_parse();
  command
      ->add_option("--spectral_rank", o.spectral_rank,
                   "Of the spectral features; 0: none. When left out, 128, "
                   "less for a graph of millions of links")
      ->check(CLI::Range(0, 1024))
      ->default_str("");
  command
      ->add_option("--embeddings,--global_embeddings,--global-embeddings",
                   flags.embeddings,
                   "node2vec, none, random, or a file made from the same "
                   "training links: .npy, word2vec's .bin, or word2vec text")
      ->default_str("node2vec");
  command->add_option("--embedding_keys", o.embedding_file.keys,
                      "For .npy: one node key per line, in row order");
  command->add_flag("--fill_missing_embeddings", o.embedding_file.fill_missing,
                    "Nodes without a row get the mean of their type");
  command->add_option("--export_embedding_graph", o.export_embedding_graph,
                      "Also write the links that embeddings may be made from "
                      "to links.tsv and nodes.tsv of this folder");
  command->add_option("--dim", flags.dim, "Of the global embeddings")
      ->default_str(absl::StrCat(o.node2vec.dim));
  command->add_option("--walks_per_node", o.node2vec.walks_per_node);
  command->add_option("--walk_length", o.node2vec.walk_length);
  command->add_option("--window", o.node2vec.window);
  command->add_option("--subsample", o.node2vec.subsample,
                      "Drop nodes above this share of all visits; 0: none");
  command->add_option("--node2vec_negatives", o.node2vec.negatives);
  command->add_option("--node2vec_epochs", o.node2vec.epochs);
  command->add_option("--node2vec_learning_rate", o.node2vec.learning_rate);
  command->add_option("--p", o.node2vec.p, "node2vec's return parameter");
  command->add_option("--q", o.node2vec.q, "node2vec's in-out parameter");
  command
      ->add_option(
          "--context",
          [&o](const std::vector<std::string>& values) {
            const auto strategy = ParseContextStrategy(values.at(0));
            if (!strategy.ok()) {
              throw CLI::ValidationError(
                  std::string(strategy.status().message()));
            }
            o.context.strategy = *strategy;
            return true;
          },
          "What joins the ends: " + ContextStrategyNames())
      ->default_str(std::string(ContextStrategyName(o.context.strategy)));
  command->add_option("--max_context_nodes", o.context.max_nodes);
  command->add_option("--max_hops", o.context.max_hops,
                      "The longest path looked for");
  command->add_option("--beam_width", o.context.beam_width,
                      "random, coherent: neighbours that continue a path");
  command->add_option(
      "--metapaths", o.metapaths,
      "pattern: relations such as 'cites,^cites' (^ backwards), or "
      "'asked=cites,cites' for one relation; none: the commonest of training");
  command->add_option("--common_metapaths", o.common_metapaths,
                      "pattern: how many of the commonest, per relation");
  command->add_option("--contexts_per_link", o.contexts_per_link);
  AddParsed(command, "--context_pooling", ParseContextPooling, o.pooling,
            {"mean", "max"}, "Several contexts of a link (the paper: max)");
  command->add_option("--layers", o.network.layers);
  command->add_option("--heads", o.network.heads);
  command->add_option("--hidden_dim", o.network.hidden_dim);
  command->add_option("--head_dim", o.network.head_dim, "Of one head");
  command->add_option("--feed_forward_dim", o.network.feed_forward_dim);
  AddParsed(command, "--score_head", ParseScoreHead, o.network.head,
            {"pair", "dot"}, "With the structural scorer, or the paper's");
  AddParsed(command, "--layer_readout", ParseLayerReadout, o.network.readout,
            {"last", "last4_cat", "last4_sum", "all_cat"}, "Of the head dot");
  AddParsed(command, "--projection", ParseProjection, o.network.projection,
            {"none", "linear", "ffn"}, "Of the head dot");
  AddParsed(command, "--composition", ParseComposition, o.network.composition,
            {"none", "sub", "mult", "circ_conv"},
            "Graph convolution before attention");
  command->add_option("--gcn_layers", o.network.gcn_layers,
                      "With --composition");
  command->add_flag_callback(
      "--without_global_features", [&flags] { flags.embeddings = "random"; },
      "Ablation: random embeddings");
  command->add_flag("--without_fine_tuning", o.without_fine_tuning,
                    "Ablation: score by the pre-trained network (dot alone)");
  command->add_option("--negatives", o.negatives_per_positive, "Per positive");
  command->add_option("--among_kind_negatives", o.among_kind_negatives,
                      "Of the same kind, per positive");
  command->add_option("--typed_negatives", o.typed_negatives,
                      "Weight of type-matched negatives in the mix");
  command->add_option("--structural_epochs", o.structural_epochs);
  command->add_option("--structural_learning_rate", o.structural_learning_rate);
  command->add_option("--structural_positives", o.structural_positives,
                      "An epoch at most; 0: all");
  command->add_option("--pretrain_epochs", o.pretrain_epochs);
  command->add_option("--pretrain_walk", o.pretrain_walk,
                      "chain (random walk) or beam (two hops)");
  command->add_option("--pretrain_contexts_per_node",
                      o.pretrain_contexts_per_node);
  command->add_option("--pretrain_learning_rate", o.pretrain_learning_rate);
  command->add_flag("--compare_pretraining", flags.compare,
                    "Also fine-tune without pre-training");
  command->add_option("--fine_tune_epochs", o.fine_tune_epochs);
  command->add_option("--learning_rate,--fine_tune_learning_rate",
                      o.fine_tune_learning_rate);
  command->add_option("--fine_tune_positives", o.fine_tune_positives,
                      "An epoch at most; 0: all");
  command->add_option("--batch_size", o.batch_size);
  HideEmptyDefaults(command);
}

absl::Status FinishFlags(FitFlags& flags) {
  FitOptions& options = flags.options;
  if (flags.embeddings.has_value()) options.SetEmbeddings(*flags.embeddings);
  options.compare_pretraining =
      flags.compare && options.embedding_source != EmbeddingSource::kNone;
  if (flags.dim.has_value()) {
    options.node2vec.dim = options.embedding_file.dim = *flags.dim;
  }
  return ApplyColumns(flags.columns, flags.held_out_columns, &options.files);
}

absl::StatusOr<FitOptions> CellOptions(const std::vector<std::string>& common,
                                       const SweepCell& cell,
                                       const std::filesystem::path& out) {
  FitFlags flags;
  CLI::App app("", "sweep");
  AddFitFiles(&app, flags);
  AddFitSettings(&app, flags);
  std::vector<std::string> arguments = common;
  arguments.insert(arguments.end(), {"--out", out.string()});
  for (const auto& [flag, value] : cell) {
    arguments.insert(arguments.end(), {"--" + flag, value});
  }
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(SweepCellName(cell) + ": " +
                                      std::string(error.what()));
  }
  SLICE_RETURN_IF_ERROR(FinishFlags(flags));
  return flags.options;
}

}  // namespace slice
