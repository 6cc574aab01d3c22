# Sourced by scripts/demo: shows how well the model ranks all tags for the links
# that were held out of its training.
# shellcheck shell=bash

: "${bin:?}" "${demo:?}" "${graph:?}" "${bundle:?}"

# How many questions a ranking of a sample asks (slice-trainer rank --sample).
# Rankings of all questions take five times as long.
readonly RANKING_SAMPLE=300

# rank FILE SAMPLE TITLE ARGS...: appends one table to the file. SAMPLE is the
# number of its questions; 0 means all.
rank() {
  local file=$1 sample=$2 title=$3
  shift 3
  heading "${title}" >>"${file}"
  "${bin}/slice-trainer" rank --bundle "${bundle}" --sample "${sample}" \
    --known "${graph}/valid.tsv" --known "${graph}/test.tsv" "$@" \
    >>"${file}" || die "the ranking failed: see the line above"
}

# write_rankings FILE SAMPLE: writes all tables. The file appears complete or
# not at all.
write_rankings() {
  local partial="$1.partial" sample=$2
  rm -f "${partial}"
  rank "${partial}" "${sample}" "Packages whose tags were all held out" \
    --links "${graph}/headline_test.tsv"
  rank "${partial}" "${sample}" "Single tags held out" \
    --links "${graph}/links_test.tsv"
  rank "${partial}" "${sample}" "role::devel-lib for untagged lib*-dev packages" \
    --sources "${graph}/untagged_lib_dev.txt" \
    --relation tagged --target role::devel-lib
  rank "${partial}" "${sample}" \
    "The same for librust-*-dev, whose neighbours have no tags either" \
    --sources "${graph}/untagged_librust_dev.txt" \
    --relation tagged --target role::devel-lib
  mv "${partial}" "$1"
}

# show_rankings sample|all|none: prints the rankings, which are made once for a
# bundle. Rankings of all questions are shown instead of the sample where they
# exist.
show_rankings() {
  local all="${demo}/rankings_all.txt" sampled="${demo}/rankings_sample.txt"
  local file questions=0
  [[ "$1" != none ]] || return 0
  file="${all}"
  if [[ "$1" == sample && ! "${all}" -nt "${bundle}/MANIFEST.json" ]]; then
    file="${sampled}"
    questions="${RANKING_SAMPLE}"
  fi
  if [[ "${file}" -nt "${bundle}/MANIFEST.json" ]]; then
    step "How the model ranks all tags (from demo/$(basename "${file}"))"
  elif ((questions > 0)); then
    step "Ranking all tags for ${questions} held-out packages of each kind" \
      "(--ranking: for all of them)"
    write_rankings "${file}" "${questions}"
  else
    step "Ranking all tags for all held-out packages"
    write_rankings "${file}" 0
  fi
  cat "${file}"
}
