# Sourced by every script in scripts/: prints messages, ends a failed script
# with one line, and sets SLICE_ROOT and SLICE_DEPS_DIR, which all scripts
# share.
# shellcheck shell=bash

SLICE_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
SLICE_DEPS_DIR="${SLICE_DEPS_DIR:-${SLICE_ROOT}/.deps}"
SLICE_PROGRAM="$(basename "$0")"
SLICE_STEP="starting"
export SLICE_ROOT SLICE_DEPS_DIR

if [[ -t 2 && -z "${NO_COLOR:-}" ]]; then
  SLICE_BOLD=$'\e[1m' SLICE_RED=$'\e[31m' SLICE_PLAIN=$'\e[0m'
else
  SLICE_BOLD="" SLICE_RED="" SLICE_PLAIN=""
fi

# step TEXT: says on stderr what happens next. When a command then fails without
# a message, on_error prints this text.
step() {
  SLICE_STEP="$*"
  printf '%s==>%s %s\n' "${SLICE_BOLD}" "${SLICE_PLAIN}" "$*" >&2
}

note() { printf '    %s\n' "$*" >&2; }

# The exit status of a subshell that has already printed why it failed.
readonly SLICE_SAID=199

# die TEXT: ends the script as failed; TEXT is the last line that it prints.
die() {
  trap - ERR
  printf '%s%s: %s%s\n' "${SLICE_RED}" "${SLICE_PROGRAM}" "$*" \
    "${SLICE_PLAIN}" >&2
  ((BASH_SUBSHELL == 0)) || exit "${SLICE_SAID}"
  exit 1
}

# on_error LINE: ends the script after a command in this line of it has failed,
# and prints the last line unless die has done so.
on_error() {
  local status=$?
  trap - ERR
  ((status != SLICE_SAID)) || exit 1
  # A subshell only passes its status on; the script itself prints the line.
  ((BASH_SUBSHELL == 0)) || exit "${status}"
  printf '%s%s: failed (exit %d, line %s) while: %s%s\n' "${SLICE_RED}" \
    "${SLICE_PROGRAM}" "${status}" "$1" "${SLICE_STEP}" "${SLICE_PLAIN}" >&2
  exit "${status}"
}
set -o errtrace
trap 'on_error "${LINENO}"' ERR

# usage SCRIPT: prints the comment block at the top of a script.
usage() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$1"; }

# parallel_jobs MIB_PER_JOB: how many jobs the cores and the free memory allow.
parallel_jobs() {
  local per_job_mib=$1 cores free_mib limit
  cores=$(nproc)
  free_mib=$(awk '/^MemAvailable:/ {print int($2 / 1024)}' /proc/meminfo)
  if [[ -r /sys/fs/cgroup/memory.max ]]; then
    limit=$(cat /sys/fs/cgroup/memory.max)
    if [[ "${limit}" != max ]] && ((limit / 1048576 < free_mib)); then
      free_mib=$((limit / 1048576))
    fi
  fi
  local by_memory=$((free_mib / per_job_mib))
  ((by_memory >= 1)) || by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}
