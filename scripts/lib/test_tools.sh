# Sourced: installs programs that only tests use, below SLICE_DEPS_DIR. When a
# program cannot be installed, the tests that need it are skipped and say so;
# the script goes on.
# shellcheck shell=bash

# promtool is in Debian's prometheus package. To install the package would start
# a service, so only the file is taken out of it.
install_promtool() {
  local tools="${SLICE_DEPS_DIR}/tools"
  if command -v promtool >/dev/null || [[ -x "${tools}/bin/promtool" ]]; then
    return 0
  fi
  step "Fetching promtool (from Debian's prometheus package)"
  local unpacked="${tools}/prometheus.partial"
  rm -rf "${unpacked}"
  mkdir -p "${unpacked}" "${tools}/bin"
  if (cd "${unpacked}" && apt-get -qq download prometheus &&
    dpkg-deb -x prometheus_*.deb .) >&2; then
    mv "${unpacked}/usr/bin/promtool" "${tools}/bin/promtool"
  else
    note "no promtool: the tests that need it will be skipped"
  fi
  rm -rf "${unpacked}"
}

install_kubernetes_validate() {
  local pins="${SLICE_ROOT}/tests/deploy/requirements.txt"
  local stamp="${SLICE_DEPS_DIR}/venv/test_requirements.txt"
  ! cmp -s "${pins}" "${stamp}" || return 0
  ensure_python
  step "Installing kubernetes-validate into ${SLICE_DEPS_DIR}/venv"
  if pip_run install --quiet --only-binary=:all: --require-hashes \
    --requirement "${pins}"; then
    cp "${pins}" "${stamp}"
  else
    note "no kubernetes-validate: the test that needs it will be skipped"
  fi
}

install_test_tools() {
  install_promtool
  install_kubernetes_validate
}
