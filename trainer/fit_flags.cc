// Defines every flag of fit, in the order in which --help shows them: files,
// the run, the split, the global embeddings, the context of a link, the
// network, and its training.
//
// Most flags write straight into FitOptions. Wherever --preset is on the line,
// it is read before the other flags, so that these can change what the preset
// sets. FinishFlags sets the options that depend on several flags.
#include "trainer/fit_flags.h"

#include "absl/strings/str_cat.h"
#include "common/command/command_line.h"
#include "common/status_macros.h"
#include "trainer/scorer_flag.h"
#include "trainer/training_files_flags.h"
#include "trainer/walk_flags.h"

namespace slice {
namespace {

// Reads the value of --own-pair-links. It refuses `show`, which only the preset
// paper-leaky sets.
absl::Status ReadOwnPair(const std::string& name, FitOptions& options) {
  options.own_pair_auto = name == "auto";
  if (options.own_pair_auto) return absl::OkStatus();
  const absl::StatusOr<OwnPairLinks> links = ParseOwnPairLinks(name);
  if (!links.ok() || *links == OwnPairLinks::kShow) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown value '", name, "': use auto, hide or reveal"));
  }
  options.own_pair_links = *links;
  return absl::OkStatus();
}

absl::Status ReadKnowledge(const std::string& name, FitOptions& options) {
  if (name != "auto" && name != "none") {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown value '", name, "': use auto or none"));
  }
  options.knowledge = name == "auto";
  return absl::OkStatus();
}

void AddRun(CommandFlags& command, FitFlags& flags) {
  FitOptions& o = flags.options;
  command
      .AddRead(
          "--preset",
          [&o](const std::string& name) { return o.ApplyPreset(name); },
          "default, fast (the structural scorer alone), paper (4 x 4 "
          "attention, dot product) or paper-leaky (trained on the held-out "
          "links as published; for comparison only). The other flags change "
          "what the preset sets; their defaults below are those of the preset "
          "default")
      .Default(o.preset)
      .Type("NAME")
      .ReadFirst();
  command
      .AddRead(
          "--warm-start",
          [&o](const std::string& bundle) {
            o.SetWarmStart(bundle);
            return absl::OkStatus();
          },
          "start from this older bundle: its embeddings, and its network with "
          "fewer epochs at lower rates. None of its train links may be held "
          "out; --links sees to that")
      .Type("DIR")
      .ReadFirst();
  command.Add("--seed", o.seed, "seed of everything random");
  command
      .Add("--show", o.shown,
           "\"RELATION SOURCE TARGET\": a link whose attention the report "
           "shows")
      .Type("LINK");
  command.AddSwitch("--full-evaluation", o.full_evaluation,
                    "measure all held-out links; without it, a run on a small "
                    "graph measures a sample of them, so that evaluation takes "
                    "less time than training");
  command
      .AddRead(
          "--scorer",
          [&o](const std::string& name) {
            return ReadScorerChoice(name, o.scorer);
          },
          "the scorer that answers by default: context, ends or structural; "
          "auto: the best on valid, or a cheaper one that is as good")
      .Default("auto")
      .Type("NAME");
  command
      .Add("--threads", o.threads,
           "0: all hardware threads; 1: the same result at every run")
      .Between(0, 1024);
}

void AddSplit(CommandFlags& command, FitFlags& flags) {
  FitOptions& o = flags.options;
  command
      .Add("--new-to", o.new_to,
           "hold out only links that this bundle has not learned, so that the "
           "two can be compared; the shares are then of these links. "
           "--warm-start does so by itself")
      .Type("DIR");
  command.AddSwitch("--strict-pairs", o.strict_pairs,
                    "refuse held-out pairs that are linked in train in any "
                    "way");
  command
      .AddRead(
          "--own-pair-links",
          [&o](const std::string& name) { return ReadOwnPair(name, o); },
          "whether a link sees the other links between its two ends: hide, "
          "reveal, or auto, which takes what is better on valid")
      .Default("auto")
      .Type("NAME");
  command.Add("--folds", o.folds, "folds of the train links (docs/leakage.md)");
  command
      .AddRead(
          "--plant-leak",
          [&o](const std::string& name) {
            const auto leak = ParsePlantedLeak(name);
            if (leak.ok()) o.planted_leak = *leak;
            return leak.status();
          },
          "show what a leak costs: own_link, seen_negatives or test_links; "
          "publishes nothing")
      .Type("NAME")
      .ReadFirst();
}

void AddEmbeddings(CommandFlags& command, FitFlags& flags) {
  FitOptions& o = flags.options;
  command
      .Add("--spectral-rank", o.spectral_rank,
           "numbers of a node's spectral features; 0: none. When left out, "
           "128, and less for a graph of millions of links")
      .Between(0, 1024)
      .Default("");
  command
      .Add("--walk-dim", o.walk_dim,
           "numbers of a node's vectors for walk features; 0: none, as preset "
           "fast")
      .Between(0, 1024);
  command
      .Add("--embeddings,--global-embeddings", flags.embeddings,
           "node2vec, none, random, or a file made from the same training "
           "links: .npy, word2vec's .bin, or word2vec text")
      .Default("node2vec");
  command
      .Add("--embedding-keys", o.embedding_file.keys,
           "for .npy: one node key per line, in row order")
      .Type("FILE");
  command.AddSwitch("--fill-missing-embeddings", o.embedding_file.fill_missing,
                    "nodes without a row get the mean of their type");
  command
      .Add("--export-embedding-graph", o.export_embedding_graph,
           "also write the links that embeddings may be made from to "
           "links.tsv and nodes.tsv of this directory")
      .Type("DIR");
  command.Add("--dim", flags.dim, "dimension of the global embeddings")
      .Default(absl::StrCat(o.node2vec.dim));
  Node2vecOptions& node2vec = o.node2vec;
  AddWalkFlags(command, node2vec);
  command.Add("--node2vec-negatives", node2vec.negatives,
              "node2vec: negatives per pair of nodes");
  command.Add("--node2vec-epochs", node2vec.epochs,
              "node2vec: passes over new walks");
  command.Add("--node2vec-learning-rate", node2vec.learning_rate,
              "node2vec: learning rate at the start");
  command.Add("--p", node2vec.p, "node2vec: return parameter");
  command.Add("--q", node2vec.q, "node2vec: in-out parameter");
}

void AddContext(CommandFlags& command, FitFlags& flags) {
  FitOptions& o = flags.options;
  command
      .AddRead(
          "--context",
          [&o](const std::string& name) {
            const auto strategy = ParseContextStrategy(name);
            if (strategy.ok()) o.context.strategy = *strategy;
            return strategy.status();
          },
          "how the context of a link is chosen: " + ContextStrategyNames())
      .Default(std::string(ContextStrategyName(o.context.strategy)))
      .Type("NAME");
  command.Add("--max-context-nodes", o.context.max_nodes,
              "most nodes of a context");
  command.Add("--max-hops", o.context.max_hops,
              "most links of a path between the ends");
  command.Add("--beam-width", o.context.beam_width,
              "random, coherent: neighbours that continue a path");
  command.Add(
      "--metapaths", o.metapaths,
      "pattern: relations such as 'cites,^cites' (^ backwards), or "
      "'asked=cites,cites' for one relation; none: the commonest of training");
  command.Add("--common-metapaths", o.common_metapaths,
              "pattern: how many of the commonest metapaths, per relation");
  command.Add("--contexts-per-link", o.contexts_per_link, "contexts of a link");
  command.AddParsed("--context-pooling", ParseContextPooling, o.pooling,
                    {"mean", "max"},
                    "how the contexts of a link become one score (the paper: "
                    "max)");
}

void AddNetwork(CommandFlags& command, FitFlags& flags) {
  NetworkOptions& network = flags.options.network;
  command.Add("--layers", network.layers, "layers of attention");
  command.Add("--heads", network.heads, "attention heads of a layer");
  command.Add("--hidden-dim", network.hidden_dim,
              "numbers per token between layers");
  command.Add("--head-dim", network.head_dim, "numbers per token of a head");
  command.Add("--feed-forward-dim", network.feed_forward_dim,
              "numbers per token inside a layer's feed-forward part");
  command.AddParsed("--score-head", ParseScoreHead, network.head,
                    {"pair", "dot"},
                    "with the structural scorer, or the paper's dot product");
  command.AddParsed("--layer-readout", ParseLayerReadout, network.readout,
                    {"last", "last4_cat", "last4_sum", "all_cat"},
                    "score head dot: the layers that an end's vector is of");
  command.AddParsed("--projection", ParseProjection, network.projection,
                    {"none", "linear", "ffn"},
                    "score head dot: of the ends' vectors");
  command.AddParsed("--composition", ParseComposition, network.composition,
                    {"none", "sub", "mult", "circ_conv"},
                    "graph convolution before attention");
  command.Add("--gcn-layers", network.gcn_layers,
              "layers of that graph convolution");
  command.AddSwitch("--plain-tokens", network.plain_tokens,
                    "as the paper: a token is its node's embedding alone, "
                    "without degree, distance, role or relation");
  command.AddSwitch("--without-global-features", flags.random_embeddings,
                    "ablation: random embeddings");
  command.AddSwitch("--without-fine-tuning", flags.options.without_fine_tuning,
                    "ablation: score by the pre-trained network (score head "
                    "dot alone)");
}

void AddTraining(CommandFlags& command, FitFlags& flags) {
  FitOptions& o = flags.options;
  command.Add("--negatives", o.negatives_per_positive,
              "negatives per positive");
  command.Add("--among-kind-negatives", o.among_kind_negatives,
              "negatives of the same kind, per positive");
  command.Add("--typed-negatives", o.typed_negatives,
              "weight of type-matched negatives in the mix");
  command.Add("--self-negatives", o.self_negatives,
              "weight of self pairs in the mix");
  command.Add("--off-schema-negatives", o.off_schema_negatives,
              "weight of pairs with an end that does not fit in the mix");
  command.Add("--new-node-share", o.new_node_share,
              "share of positives with a node without links as one end");
  command.Add("--structural-epochs", o.structural_epochs,
              "structural scorer: epochs; 0: 8, up to 16 on small graphs");
  command.Add("--structural-learning-rate", o.structural_learning_rate,
              "structural scorer: learning rate");
  command.Add("--structural-positives", o.structural_positives,
              "structural scorer: most positives of an epoch; 0: all");
  command.Add("--pretrain-epochs", o.pretrain_epochs, "pre-training: epochs");
  command.Add("--pretrain-walk", o.pretrain_walk,
              "pre-training: chain (random walk) or beam (two hops)");
  command.Add("--pretrain-contexts-per-node", o.pretrain_contexts_per_node,
              "pre-training: contexts of a node");
  command.Add("--pretrain-learning-rate", o.pretrain_learning_rate,
              "pre-training: learning rate");
  command.AddSwitch("--compare-pretraining", flags.compare,
                    "also fine-tune without pre-training");
  command
      .AddRead(
          "--knowledge",
          [&o](const std::string& name) { return ReadKnowledge(name, o); },
          "a knowledge graph embedding beside the network: auto, which trains "
          "it and uses it where valid says so, or none, as preset fast")
      .Default("auto")
      .Type("NAME");
  command.Add("--fine-tune-epochs", o.fine_tune_epochs, "fine-tuning: epochs");
  command.Add("--learning-rate,--fine-tune-learning-rate",
              o.fine_tune_learning_rate, "fine-tuning: learning rate");
  command.Add("--fine-tune-positives", o.fine_tune_positives,
              "fine-tuning: most positives of an epoch; 0: all");
  command.Add("--hard-questions", o.hard_questions,
              "ranking: train links whose ends are asked for among hard "
              "candidates; 0: no network that ranks, as preset fast");
  command.Add("--batch-size", o.batch_size, "links of a training step");
}

}  // namespace

void AddFitFiles(CommandFlags& command, FitFlags& flags) {
  FitOptions& o = flags.options;
  AddTrainingFiles(
      command, {o.train, o.valid, o.test, o.nodes, flags.link_files, &o.split,
                &o.from_store, &o.graph_version});
  command
      .Add("--attribute-columns", o.files.attribute_columns,
           "columns of the node file, named in its header, that hold numbers")
      .SplitAt(',')
      .Type("LIST");
  command
      .Add("--attributes", o.attribute_matrix,
           "a .npy matrix of numbers per node")
      .Type("FILE");
  command.Add("--out", o.out, "the bundle; work is kept in OUT.work")
      .Type("DIR")
      .Required();
}

void AddFitSettings(CommandFlags& command, FitFlags& flags) {
  AddRun(command, flags);
  AddSplit(command, flags);
  AddEmbeddings(command, flags);
  AddContext(command, flags);
  AddNetwork(command, flags);
  AddTraining(command, flags);
}

absl::Status FinishFlags(FitFlags& flags) {
  FitOptions& options = flags.options;
  if (flags.embeddings.has_value()) options.SetEmbeddings(*flags.embeddings);
  if (flags.random_embeddings) options.SetEmbeddings("random");
  options.compare_pretraining =
      flags.compare && options.embedding_source != EmbeddingSource::kNone;
  if (flags.dim.has_value()) {
    options.node2vec.dim = options.embedding_file.dim = *flags.dim;
  }
  options.split.link_files = flags.link_files;
  SLICE_RETURN_IF_ERROR(options.ValidateFiles());
  return ApplyLinkFileTexts(flags.link_files, &options.files);
}

absl::StatusOr<FitOptions> CellOptions(const std::vector<std::string>& common,
                                       const SweepCell& cell,
                                       const std::filesystem::path& out) {
  FitFlags flags;
  CommandLine line({.name = "sweep"});
  AddFitFiles(line.flags(), flags);
  AddFitSettings(line.flags(), flags);
  std::vector<std::string> arguments = common;
  arguments.insert(arguments.end(), {"--out", out.string()});
  for (const auto& [flag, value] : cell) {
    arguments.insert(arguments.end(), {"--" + flag, value});
  }
  const ParsedLine parsed = line.Parse(std::move(arguments));
  if (!parsed.status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(SweepCellName(cell), ": ", parsed.status.message()));
  }
  SLICE_RETURN_IF_ERROR(FinishFlags(flags));
  return flags.options;
}

}  // namespace slice
