# Sourced: installs Debian's arm64 libraries for the cross compiler, in the
# folder SLICE_AARCH64_DIR/sysroot. apt resolves and downloads them with package
# lists and a package database kept apart from the machine's, whose packages and
# architectures stay as they are. The folder appears complete or not at all.
# shellcheck shell=bash

readonly SLICE_AARCH64_DIR="${SLICE_DEPS_DIR}/aarch64"

# The protoc and the gRPC plugin for arm64 never run: CMake's files for gRPC
# only require that they exist. The build machine's own protoc and plugin
# generate the sources.
# shellcheck disable=SC2034
readonly SLICE_AARCH64_LIBRARIES=(
  libabsl-dev libbenchmark-dev libboost-dev libcli11-dev libcpp-httplib-dev libgmock-dev
  libgrpc++-dev libgtest-dev libjemalloc-dev libnats-dev libprotobuf-dev
  librdkafka-dev librocksdb-dev libspdlog-dev libssl-dev libxxhash-dev
  libyaml-cpp-dev libzstd-dev nlohmann-json3-dev prometheus-cpp-dev
  protobuf-compiler-grpc zlib1g-dev
)

# apt_arm64 COMMAND...: apt-get for arm64; writes below SLICE_AARCH64_DIR/apt.
apt_arm64() {
  local apt="${SLICE_AARCH64_DIR}/apt"
  mkdir -p "${apt}/state/lists/partial" "${apt}/cache/archives/partial"
  # The package database is empty, so that apt downloads everything that a
  # library needs.
  : >"${apt}/state/status"
  apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
    -o Dir::State="${apt}/state" -o Dir::State::status="${apt}/state/status" \
    -o Dir::Cache="${apt}/cache" -o APT::Sandbox::User= \
    -o Acquire::Retries=3 "$@" >&2
}

# relative_links FOLDER: makes the absolute symbolic links below FOLDER
# relative, so that they lead to files in FOLDER and not to files of the build
# machine.
relative_links() {
  local root=$1 link
  while read -r link; do
    ln -sfnr "${root}$(readlink "${link}")" "${link}"
  done < <(find "${root}" -type l -lname '/*')
}

# sysroot_in_cmake_files FOLDER: puts the sysroot before the absolute paths that
# some packages have in their files for CMake.
sysroot_in_cmake_files() {
  # shellcheck disable=SC2016
  find "$1" -name '*.cmake' -exec sed -i \
    -e 's#\([";]\)/usr/lib/aarch64-linux-gnu/lib#\1${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/lib#g' \
    -e 's#^set(_IMPORT_PREFIX "/usr")$#set(_IMPORT_PREFIX "${CMAKE_SYSROOT}/usr")#' {} +
}

# install_aarch64_sysroot NAME...: installs these packages and all packages that
# they depend on, unless the folder was made for the same names.
install_aarch64_sysroot() {
  local sysroot="${SLICE_AARCH64_DIR}/sysroot" package
  local partial="${sysroot}.partial" stamp="${sysroot}/packages.txt"
  ! cmp -s <(printf '%s\n' "$@") "${stamp}" || return 0
  step "Downloading the arm64 libraries (about 60 MB) into ${SLICE_AARCH64_DIR}"
  apt_arm64 -qq update || die "cannot read Debian's arm64 package lists"
  apt_arm64 -qq -y --no-install-recommends --download-only install "$@" ||
    die "cannot download the arm64 libraries: see apt-get's message above"
  step "Unpacking the arm64 libraries into ${sysroot}"
  rm -rf "${partial}"
  mkdir -p "${partial}"
  for package in "${SLICE_AARCH64_DIR}"/apt/cache/archives/*.deb; do
    dpkg-deb -x "${package}" "${partial}"
  done
  relative_links "${partial}"
  sysroot_in_cmake_files "${partial}"
  printf '%s\n' "$@" >"${partial}/packages.txt"
  rm -rf "${sysroot}"
  mv "${partial}" "${sysroot}"
  rm -rf "${SLICE_AARCH64_DIR}/apt"
}
