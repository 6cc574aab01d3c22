# Sourced by scripts/demo for --live: plays a week of new packages into the
# running server, and asks about them before and after.
# shellcheck shell=bash

: "${bin:?}" "${demo:?}" "${graph:?}" "${data:?}"

readonly live="${demo}/live"
readonly week="${live}/graph"
# What slice-retrain wants: bundles, and a link to the one in use.
readonly models="${live}/models"

# forget_week: removes the graph with the changes of an earlier run.
forget_week() {
  [[ -e "${data}" ]] || return 0
  refuse_if_served "${data}"
  step "Removing demo/live/data, the graph with the changes of the last run"
  rm -rf "${data}"
}

# make_current: lets the link `current` lead to the first bundle, and prints it.
make_current() {
  ln -sfn first "${models}/current"
  printf '%s\n' "${models}/current"
}

# make_week: withholds the newest packages of the graph, unless that is done.
make_week() {
  mkdir -p "${models}"
  if [[ -e "${week}/packages.tsv" ]]; then
    step "Using the withheld packages in demo/live/graph"
    return 0
  fi
  step "Withholding the newest 5 % of the packages, by a hash of their names"
  rm -rf "${week}" "${week}.partial" "${models:?}"/*
  /usr/bin/python3 "${SLICE_ROOT}/scripts/lib/withhold_packages.py" \
    "${graph}" "${week}.partial" ||
    die "cannot withhold packages: see the line above"
  mv "${week}.partial" "${week}"
}

# shown_packages COUNT: prints so many withheld packages with a tag that nobody
# tells the server: well-known ones first, then those with most links.
shown_packages() {
  { printf '%s\n' openssh-client pidgin xterm &&
    cut -f 1 "${week}/packages.tsv"; } |
    awk -F '\t' -v count="$1" '
      FILENAME != "-" {asked[$1] = $3; next}
      asked[$1] > 0 && shown < count {print $1; asked[$1] = 0; shown++}' \
      "${week}/packages.tsv" -
}

# asked_tag PACKAGE: the first tag of the package that nobody tells the server.
asked_tag() {
  awk -F '\t' -v package="$1" \
    '$1 == "tagged" && $2 == package && $4 == 1 {print $3; exit}' \
    "${week}/asked.tsv"
}

# ask_before PACKAGE: what the server says of a package that it does not know.
ask_before() {
  local tag
  tag=$(asked_tag "$1")
  heading "Before the week: would $1 be ${tag}?" \
    "(NOT_FOUND is expected: the server does not know it yet)"
  client predict --keys "$1" tagged "${tag}" 2>&1 || true
}

# ask_after PACKAGE: the tags that it should get. Those that it has are marked.
ask_after() {
  local package=$1 ranked="${demo}/ranked.tsv"
  rank_tags "${package}" >"${ranked}" ||
    die "the server did not score the tags of ${package}:" \
      "$(tail -n 1 "${demo}/predict.log")"
  heading "After the week: which debtags should ${package} get?" \
    "(+: the server was told; *: true, and not told)"
  awk -F '\t' -v package="${package}" '
    FILENAME == ARGV[1] {
      if ($1 == "tagged" && $2 == package && $4 == 1) mark[$3] = "*"
      next
    }
    FILENAME != ARGV[ARGC - 1] {
      if ($1 == "+" && $2 == package && $3 == "tagged") mark[$4] = "+"
      next
    }
    FNR <= 8 {printf "  %.3f %1s %s\n", $1, mark[$2], $2}' \
    "${week}/asked.tsv" "${week}"/day-*.tsv "${ranked}"
}

# ask_why PACKAGE: why it should get a tag that it has.
ask_why() {
  local tag
  tag=$(asked_tag "$1")
  heading "Why should $1 get ${tag}?"
  client explain "$1" tagged "${tag}"
}

# play_week: sends each day's packages and links; a line for each day.
play_week() {
  local day
  step "Playing a week of new packages into the server"
  for day in "${week}"/day-*.tsv; do
    printf '  %s: %s packages, %s links\n' "$(basename "${day}" .tsv)" \
      "$(grep -c '^+node' "${day}" || true)" \
      "$(grep -cP '^\+\t' "${day}" || true)"
    client update file "${day}" 2>"${demo}/update.log" >&2 ||
      die "the server did not take ${day}:" \
        "$(tail -n 1 "${demo}/update.log")"
  done
  heading "What has the server now?"
  client update state
}

# judge_week: how often a withheld link ranks above one that does not exist.
judge_week() {
  heading "All links of new packages that the server was not told," \
    "each beside one that does not exist"
  cut -f 1-3 "${week}/asked.tsv" |
    client predict --keys --links - 2>"${demo}/predict.log" |
    awk -F '\t' '
      NR % 2 {link = $NF; relation = $1; next}
      {
        right = (link > $NF) + 0.5 * (link == $NF)
        sum[relation] += right; count[relation]++; all += right; n++
      }
      END {
        for (relation in sum)
          printf "  %-14s the link is above in %5.1f of 100 of %d cases\n",
            relation, 100 * sum[relation] / count[relation],
            count[relation] | "sort"
        close("sort")
        printf "  %-14s the link is above in %5.1f of 100 of %d cases\n",
          "all", 100 * all / n, n
      }' || die "the server did not score the links of new packages:" \
    "$(tail -n 1 "${demo}/predict.log")"
}

# how_to_go_on: what a user can try next.
how_to_go_on() {
  cat <<END
Change the graph, and ask again:
  slice-client update node my-package package
  slice-client update add my-package depends libc6
  slice-client predict my-package tagged implemented-in::c
  slice-client predict --with "my-package depends libgtk-3-0" my-package tagged uitoolkit::gtk
  slice-client update remove my-package depends libc6
Copy the graph with its changes, while it is served:
  slice-client --server unix:${SLICE_ADMIN} checkpoint ${live}/copy
Bring the changes back into the model. It takes about as long as the first
training, and some minutes for the comparison of both models; the server takes
the new one by itself, if it is no worse:
  ${SLICE_ROOT}/deploy/retrain/slice-retrain --server ${SLICE_SERVER} \\
    --models ${models} --data-dir ${data} --margin 0.01
END
}

# ask_week: all of it.
ask_week() {
  local package packages
  mapfile -t packages < <(shown_packages 3)
  for package in "${packages[@]}"; do
    ask_before "${package}"
  done
  play_week
  for package in "${packages[@]}"; do
    ask_after "${package}"
  done
  ask_why "${packages[0]}"
  judge_week
}
