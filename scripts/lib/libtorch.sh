# Sourced: unpacks LibTorch from pinned wheels into a folder libtorch/. For
# x86-64 the wheels are in libtorch_wheels.txt and the folder is in
# SLICE_DEPS_DIR; for aarch64 they are in libtorch_wheels_aarch64.txt and the
# folder is in SLICE_DEPS_DIR/aarch64. The folder appears complete or not at
# all.
# shellcheck shell=bash

# ensure_python: makes the private Python that pip runs in.
readonly SLICE_PYTHON="${SLICE_DEPS_DIR}/venv/bin/python"
ensure_python() {
  local base=/usr/bin/python3
  ! "${SLICE_PYTHON}" -m pip --version &>/dev/null || return 0
  [[ -x "${base}" ]] || base=python3
  rm -rf "${SLICE_DEPS_DIR}/venv"
  "${base}" -m venv "${SLICE_DEPS_DIR}/venv" >&2 ||
    die "cannot create a Python environment in ${SLICE_DEPS_DIR}/venv"
}

# pip_run ARGS...: runs pip of the private Python, which leaves nothing outside
# SLICE_DEPS_DIR. Its errors go to SLICE_PIP_LOG.
readonly SLICE_PIP_LOG="${SLICE_DEPS_DIR}/pip.log"
pip_run() {
  local authorities="${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}"
  mkdir -p "${SLICE_DEPS_DIR}/tmp"
  # pip brings certificate authorities of its own; those of the machine are to
  # be trusted instead.
  if [[ -r "${authorities}" ]]; then
    export PIP_CERT="${PIP_CERT:-${authorities}}"
  fi
  TMPDIR="${SLICE_DEPS_DIR}/tmp" PIP_DISABLE_PIP_VERSION_CHECK=1 \
    "${SLICE_PYTHON}" -m pip --no-cache-dir --no-input --retries 3 "$@" \
    >&2 2>"${SLICE_PIP_LOG}"
}

# wheels_are_good PINS WHEELS: whether every hash in the file PINS is that of a
# file in the folder WHEELS.
wheels_are_good() {
  local pins=$1 wheels=$2 wanted found
  compgen -G "${wheels}/*.whl" >/dev/null || return 1
  found=$(sha256sum "${wheels}"/*.whl | awk '{print $1}')
  while read -r wanted; do
    grep -q "^${wanted#sha256:}$" <<<"${found}" || return 1
  done < <(grep -o 'sha256:[0-9a-f]*' "${pins}")
}

# download_wheels PINS WHEELS MACHINE: downloads the wheels pinned in the file
# PINS into the folder WHEELS. MACHINE is x86_64 or aarch64.
download_wheels() {
  local pins=$1 wheels=$2 machine=$3 platforms=() tag
  if wheels_are_good "${pins}" "${wheels}"; then
    note "the wheels are here already"
    return 0
  fi
  for tag in manylinux_2_28 manylinux_2_27 manylinux_2_25 manylinux_2_17 \
    manylinux2014 manylinux1; do
    platforms+=(--platform "${tag}_${machine}")
  done
  rm -rf "${wheels}"
  mkdir -p "${wheels}"
  if ! pip_run download --no-deps --only-binary=:all: --require-hashes \
    --python-version 3.11 "${platforms[@]}" --dest "${wheels}" \
    --requirement "${pins}"; then
    if grep -q 'DO NOT MATCH THE HASHES' "${SLICE_PIP_LOG}"; then
      die "a downloaded wheel is not the pinned one (wrong SHA-256); nothing" \
        "was unpacked. Run the script again; if this message comes again, the" \
        "download is being tampered with"
    fi
    die "cannot download LibTorch: is the network there? pip says:" \
      "$(grep ERROR "${SLICE_PIP_LOG}" | tail -n 1)"
  fi
  wheels_are_good "${pins}" "${wheels}" ||
    die "a wheel in ${wheels} has the wrong SHA-256"
}

# has_libtorch [--cuda]: whether LibTorch of this machine is unpacked from the
# pinned wheels.
has_libtorch() {
  has_libtorch_of "${SLICE_DEPS_DIR}" \
    "${SLICE_ROOT}/scripts/lib/libtorch_wheels.txt" "$@"
}

# has_libtorch_of FOLDER PINS [--cpu|--cuda]: whether FOLDER/libtorch is
# unpacked from the wheels in PINS. What was unpacked for --cuda also serves
# --cpu.
has_libtorch_of() {
  local target="$1/libtorch" pins=$2 variant="${3:---cpu}"
  cmp -s "${pins}" "${target}/pinned_wheels.txt" || return 1
  [[ "${variant}" == --cpu || -e "${target}/torch/lib/libtorch_cuda.so" ]]
}

# install_libtorch [--cuda]: unpacks LibTorch of this machine into
# SLICE_DEPS_DIR. Without --cuda only what a CPU build links is unpacked.
install_libtorch() {
  [[ -e "${SLICE_DEPS_DIR}/libtorch/pinned_wheels.txt" ||
    "$(uname -m)" == x86_64 ]] ||
    die "LibTorch is pinned for x86-64 only, this machine is $(uname -m)"
  install_libtorch_of x86_64 "${SLICE_DEPS_DIR}" \
    "${SLICE_ROOT}/scripts/lib/libtorch_wheels.txt" "$@"
}

# install_libtorch_aarch64: unpacks what a CPU build for aarch64 links.
install_libtorch_aarch64() {
  install_libtorch_of aarch64 "${SLICE_DEPS_DIR}/aarch64" \
    "${SLICE_ROOT}/scripts/lib/libtorch_wheels_aarch64.txt" --cpu
}

# install_libtorch_of MACHINE FOLDER PINS [--cpu|--cuda]: downloads the wheels
# in PINS and unpacks them into FOLDER/libtorch, unless that was done before.
install_libtorch_of() {
  local machine=$1 folder=$2 pins=$3 variant="${4:---cpu}"
  local target="${folder}/libtorch" wheels="${folder}/wheels"
  local partial="${target}.partial"
  ! has_libtorch_of "${folder}" "${pins}" "${variant}" || return 0
  ensure_python
  step "Downloading LibTorch (about 0.5 GB) into ${wheels}"
  download_wheels "${pins}" "${wheels}" "${machine}"
  step "Unpacking LibTorch into ${target}"
  rm -rf "${partial}"
  "${SLICE_PYTHON}" "${SLICE_ROOT}/scripts/lib/unpack_wheels.py" "${variant}" \
    "${partial}" "${wheels}"/*.whl >&2 ||
    die "cannot unpack LibTorch into ${partial} (is the disk full?)"
  cp "${pins}" "${partial}/pinned_wheels.txt"
  rm -rf "${target}"
  mv "${partial}" "${target}"
  rm -rf "${wheels}" "${SLICE_DEPS_DIR}/tmp"
}
