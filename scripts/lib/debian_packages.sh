# Sourced: installs Debian packages that are not there yet.
# shellcheck shell=bash

# What the build, the tests and the scripts need beyond the base system.
# shellcheck disable=SC2034
readonly SLICE_BUILD_PACKAGES=(
  ca-certificates ccache cmake esbuild g++ ninja-build pkg-config python3
  python3-venv
  libabsl-dev libbenchmark-dev libboost-dev libcli11-dev libcpp-httplib-dev libgmock-dev
  libgrpc++-dev libgtest-dev libjemalloc-dev libnats-dev libprotobuf-dev
  librdkafka-dev librocksdb-dev libspdlog-dev libssl-dev libxxhash-dev
  libyaml-cpp-dev libzstd-dev nlohmann-json3-dev node-d3-scale node-d3-shape
  prometheus-cpp-dev
  protobuf-compiler protobuf-compiler-grpc zlib1g-dev
)
# What scripts/package needs beyond a build.
# shellcheck disable=SC2034
readonly SLICE_PACKAGING_PACKAGES=(binutils dpkg-dev gzip xz-utils)
# shellcheck disable=SC2034
readonly SLICE_TEST_PACKAGES=(
  chromium chromium-driver golang-github-golang-protobuf-1-5-dev golang-go
  golang-google-grpc-dev mkdocs nats-server node-typescript protoc-gen-go
  protoc-gen-go-grpc python3-selenium shellcheck
)

# missing_packages NAME...: prints the names of packages that are not installed.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" \
    2>/dev/null | awk '$2 == "installed" {print $1}' || true)
  comm -23 <(printf '%s\n' "$@" | sort -u) \
    <(printf '%s\n' "${installed}" | sort -u)
}

# as_root COMMAND...: runs the command as root, through sudo when that is
# needed.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "installing Debian packages needs root: run as root, install sudo, or" \
      "install them yourself: apt-get install ${missing[*]-}"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q \
    -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@"
}

has_package_lists() {
  compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null
}

# update_package_lists: runs apt-get update. When it fails, the old lists stay
# in use.
update_package_lists() {
  step "Refreshing the Debian package lists (apt-get update)"
  apt_get -qq update >&2 || note "apt-get update failed; the old lists are used"
}

# install_packages NAME...: installs those packages that are missing; dies when
# one of them cannot be installed.
install_packages() {
  [[ -x /usr/bin/dpkg-query && -x /usr/bin/apt-get ]] ||
    die "this is not a Debian system (no apt-get); slice builds on Debian 12"
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  has_package_lists || update_package_lists
  step "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  if ! apt_get install -y --no-install-recommends "${missing[@]}" >&2; then
    # Old lists name package files that the archive no longer has.
    update_package_lists
    step "Installing ${#missing[@]} Debian packages again"
    apt_get install -y --no-install-recommends "${missing[@]}" >&2 || true
  fi
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) ||
    die "cannot install these Debian packages (is the network there, and is" \
      "this Debian 12?): ${missing[*]}"
}
