# Sourced: the arm64 libraries of Debian below SLICE_AARCH64_DIR/sysroot, for
# the cross compiler. apt resolves and downloads them with lists and a package
# database of its own, so the machine's packages and architectures stay as they
# are. The folder appears complete or not at all.
# shellcheck shell=bash

readonly SLICE_AARCH64_DIR="${SLICE_DEPS_DIR}/aarch64"

# The protoc and the gRPC plugin of arm64 never run: CMake's files for gRPC
# only ask that they exist. The build machine's own make the sources.
# shellcheck disable=SC2034
readonly SLICE_AARCH64_LIBRARIES=(
  libabsl-dev libbenchmark-dev libcli11-dev libgmock-dev libgrpc++-dev
  libgtest-dev libprotobuf-dev librocksdb-dev libspdlog-dev libssl-dev
  libxxhash-dev libzstd-dev nlohmann-json3-dev prometheus-cpp-dev
  protobuf-compiler-grpc zlib1g-dev
)

# apt_arm64 COMMAND...: apt-get for arm64; writes below SLICE_AARCH64_DIR/apt.
apt_arm64() {
  local apt="${SLICE_AARCH64_DIR}/apt"
  mkdir -p "${apt}/state/lists/partial" "${apt}/cache/archives/partial"
  # An empty package database: everything a library needs is downloaded.
  : >"${apt}/state/status"
  apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
    -o Dir::State="${apt}/state" -o Dir::State::status="${apt}/state/status" \
    -o Dir::Cache="${apt}/cache" -o APT::Sandbox::User= \
    -o Acquire::Retries=3 "$@" >&2
}

# relative_links FOLDER: absolute links below it would lead to the files of the
# build machine; they become relative ones within the folder.
relative_links() {
  local root=$1 link
  while read -r link; do
    ln -sfnr "${root}$(readlink "${link}")" "${link}"
  done < <(find "${root}" -type l -lname '/*')
}

# sysroot_in_cmake_files FOLDER: some packages write their own place into their
# files for CMake; there it gets the sysroot before it.
sysroot_in_cmake_files() {
  # shellcheck disable=SC2016
  find "$1" -name '*.cmake' -exec sed -i \
    -e 's#\([";]\)/usr/lib/aarch64-linux-gnu/lib#\1${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/lib#g' \
    -e 's#^set(_IMPORT_PREFIX "/usr")$#set(_IMPORT_PREFIX "${CMAKE_SYSROOT}/usr")#' {} +
}

# install_aarch64_sysroot NAME...: these packages and all they depend on.
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
