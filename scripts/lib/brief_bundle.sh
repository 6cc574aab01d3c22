# Sourced: makes bundles that are barely trained, because training does not change
# the speed of a network.
# shellcheck shell=bash

# make_brief_bundle PROGRAMS PRESET FOLDER: trains on a made-up graph, with the
# programs in the folder PROGRAMS. The bundle is then FOLDER/bundle.
make_brief_bundle() {
  local programs=$1 preset=$2 folder=$3
  rm -rf "${folder}"
  mkdir -p "${folder}"
  "${programs}/slice-graph" generate --out "${folder}/graph" --nodes 2000 \
    --links 20000 >&2
  "${programs}/slice-trainer" fit --preset "${preset}" \
    --train "${folder}/graph/train.tsv" --valid "${folder}/graph/valid.tsv" \
    --test "${folder}/graph/test.tsv" --nodes "${folder}/graph/nodes.tsv" \
    --out "${folder}/bundle" --walks-per-node 1 --node2vec-epochs 1 \
    --pretrain-epochs 1 --pretrain-contexts-per-node 1 --fine-tune-epochs 1 \
    --fine-tune-positives 256 >"${folder}/log" 2>&1 ||
    die "the training failed: $(tail -n 1 "${folder}/log")"
}
