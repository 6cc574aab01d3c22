# Sourced by scripts/bench: runs the programs of the benchmarks. Each program
# leaves JSON in a folder of its own in ${results}.
# shellcheck shell=bash

source "${SLICE_ROOT:?}/scripts/lib/brief_bundle.sh"

: "${bin:?}" "${results:?}" "${filter:?}" "${repetitions:?}" "${sets:?}"

# run_google_benchmark NAME SET: runs NAME_benchmark with the instructions of SET
# and keeps its medians.
run_google_benchmark() {
  local program=$1 set=$2
  local out="${results}/${program}/${set}.json"
  step "Running ${program}_benchmark with ${set}, ${repetitions} times each"
  local arguments=(
    "--benchmark_filter=${filter}"
    "--benchmark_repetitions=${repetitions}"
    --benchmark_report_aggregates_only=true
    "--benchmark_out=${out}"
    --benchmark_out_format=json
  )
  if [[ "${program}" == recommend ]]; then
    arguments+=("--bundles=${bundles}")
  elif [[ "${program}" != graphstore && "${program}" != forward ]]; then
    arguments+=("--data-dir=${data_dir}")
  fi
  if [[ "${program}" == walk || "${program}" == spectral ]]; then
    arguments+=("${large[@]}")
  fi
  # Progress lines of the training would hide the figures; its other messages
  # are kept.
  python3 "${SLICE_ROOT}/scripts/lib/instruction_sets.py" run "${set}" \
    "${bin}/${program}_benchmark" "${arguments[@]}" \
    2> >(grep -v -e '^node2vec' -e '^\*\*\*WARNING' >&2 || true) >&2
  # The file is empty when no benchmark matched the filter.
  [[ -s "${out}" ]] || rm -f "${out}"
}

# make_paper_bundle: makes a bundle of the paper's network, and keeps it for the
# next run.
make_paper_bundle() {
  local folder="${results}/paper.bundle"
  [[ ! -e "${folder}/bundle/MANIFEST.json" ]] || return 0
  step "Training the paper's network briefly, to measure its speed"
  make_brief_bundle "${bin}" paper "${folder}"
}

# run_serving FLAGS...: puts slice-server with each bundle under the load of
# slice-client bench.
run_serving() {
  make_paper_bundle
  step "Running slice-server under load, ${repetitions} times each"
  python3 "${SLICE_ROOT}/scripts/lib/serving_benchmark.py" --bin "${bin}" \
    --work "${results}/serving.work" --out "${results}/serving/all.json" \
    --rounds "${repetitions}" --paper_bundle "${results}/paper.bundle/bundle" \
    "${sets[@]/#/--set=}" "$@"
}

# run_neighbours FLAGS...: measures slice-server with the first bundle, beside
# busy programs and inside a quota of processor time.
run_neighbours() {
  local bundle="${bundles%%,*}"
  if [[ -z "${bundle}" ]]; then
    note "neighbours is skipped: it needs a bundle to serve (--bundles)"
    return 0
  fi
  step "Running slice-server beside neighbours, ${repetitions} times each"
  python3 "${SLICE_ROOT}/scripts/lib/neighbours_benchmark.py" --bin "${bin}" \
    --work "${results}/neighbours.work" --out "${results}/neighbours/all.json" \
    --rounds "${repetitions}" --bundle "${bundle}" "$@"
}
