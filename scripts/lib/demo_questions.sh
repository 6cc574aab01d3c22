# Sourced by scripts/demo: asks the running server what the demo shows.
# shellcheck shell=bash

: "${bin:?}" "${demo:?}" "${graph:?}"

client() { "${bin}/slice-client" "$@"; }

# heading TEXT: prints a heading on stdout, above an answer.
heading() { printf '\n%s%s%s\n\n' "${SLICE_BOLD}" "$*" "${SLICE_PLAIN}"; }

# is_untagged PACKAGE: whether this is a package of the graph without any tag.
is_untagged() {
  grep -qP "^\Q$1\E\tpackage\t" "${graph}/nodes.tsv" &&
    ! grep -qP "^tagged\t\Q$1\E\t" "${graph}/links.tsv"
}

# untagged_packages COUNT: prints so many untagged packages, well-known ones
# first.
untagged_packages() {
  local count=$1 package
  for package in imagemagick libssl-dev apache2 ghostscript alacritty \
    $(head -n "${count}" "${graph}/untagged_lib_dev.txt"); do
    ((count > 0)) || break
    if is_untagged "${package}"; then
      echo "${package}"
      count=$((count - 1))
    fi
  done
}

# rank_tags PACKAGE: prints a line "probability<TAB>tag" for each tag of the
# graph, the best first.
rank_tags() {
  awk -F '\t' -v package="$1" \
    '$2 == "tag" {print "tagged\t" package "\t" $1}' "${graph}/nodes.tsv" |
    client predict --keys --links - 2>"${demo}/predict.log" |
    awk -F '\t' '{print $NF "\t" $3}' | sort -t $'\t' -k 1,1gr
}

# ask_headline PACKAGE: asks which tags the package should get, and why it
# should get the best of them.
ask_headline() {
  local package=$1 ranked="${demo}/ranked.tsv"
  rank_tags "${package}" >"${ranked}" ||
    die "the server did not score the tags of ${package}:" \
      "$(tail -n 1 "${demo}/predict.log")"
  heading "Which debtags should ${package} get? (it has none)"
  head -n 5 "${ranked}" | awk -F '\t' '{printf "  %.3f  %s\n", $1, $2}'
  heading "Why $(head -n 1 "${ranked}" | cut -f 2)?"
  client explain "${package}" tagged "$(head -n 1 "${ranked}" | cut -f 2)"
}

ask_questions() {
  local package
  heading "What is loaded?"
  client info
  while read -r package; do
    ask_headline "${package}"
  done < <(untagged_packages 2)
  heading "Would curl need libssl3? Would it need a game?"
  printf 'depends\tcurl\tlibssl3\ndepends\tcurl\t0ad-data\n' |
    client predict --links -
  heading "What is next to curl?"
  client neighbors curl --limit 12
}
