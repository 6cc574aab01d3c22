# Sourced: runs a slice-server in the background and stops it by its pid.
# shellcheck shell=bash

SLICE_SERVER_PID=""

# start_server LOG PROGRAMS ARGS...: starts the slice-server in the folder
# PROGRAMS on a free loopback port and waits until it serves. Sets
# SLICE_SERVER_PID and exports its address as SLICE_SERVER.
start_server() {
  local log=$1 programs=$2 address=""
  shift 2
  "${programs}/slice-server" --listen 127.0.0.1:0 "$@" >"${log}" 2>&1 </dev/null &
  SLICE_SERVER_PID=$!
  while [[ -z "${address}" ]]; do
    kill -0 "${SLICE_SERVER_PID}" 2>/dev/null ||
      die "the server did not start: $(tail -n 1 "${log}") (log: ${log})"
    sleep 0.2
    address=$(sed -n 's/^listening on //p' "${log}")
  done
  export SLICE_SERVER="${address}"
}

# refuse_if_served DIR...: ends the script when a slice-server has one of these
# data directories.
refuse_if_served() {
  local directory found
  for directory in "$@"; do
    found=$(grep -lzxFs -- "${directory}" /proc/[0-9]*/cmdline || true)
    [[ -z "${found}" ]] ||
      die "a server uses ${directory}: stop it first with" \
        "kill $(cut -d / -f 3 <<<"${found}" | paste -s -d ' ')"
  done
}

# stop_server: stops the server gracefully; does nothing when no server runs.
stop_server() {
  [[ -n "${SLICE_SERVER_PID}" ]] || return 0
  kill -TERM "${SLICE_SERVER_PID}" 2>/dev/null || true
  wait "${SLICE_SERVER_PID}" 2>/dev/null || true
  SLICE_SERVER_PID=""
}
