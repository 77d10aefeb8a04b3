# SPDX-License-Identifier: MIT
# Sourced by the scripts of this folder: the path of the repository, and the packages to install.

set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# The libraries of the build.
build_packages=(
  libasound2-dev
  libavahi-client-dev
  libavcodec-dev
  libavformat-dev
  libjack-jackd2-dev
  liblo-dev
  libmd-dev
  libqrencode-dev
  libre2-dev
  libsamplerate0-dev
  libsmf-dev
  libsndfile1-dev
  libspa-0.2-dev
  libswresample-dev
  libsystemd-dev
  libxml2-dev
  libyaml-dev
  libzita-resampler-dev
  pkg-config
)
# The tools of scripts/package, and the programs that examine packages.
package_packages=(
  appstream
  debhelper
  desktop-file-utils
  dh-python
  dpkg-dev
  lintian
  mandoc
  patchelf
  python3
  systemd
)
# The programs of the lints.
lint_packages=(python3)
# The programs that `multiroute run` uses.
run_packages=(
  jackd2
  procps
)
# The real programs that the tests run against.
test_packages=(
  aj-snapshot
  appstream
  avahi-daemon
  avahi-utils
  bash-completion
  chromium
  curl
  dbus
  desktop-file-utils
  espeak-ng
  ffmpeg
  fish
  flac
  fluid-soundfont-gm
  fluidsynth
  imagemagick
  iproute2
  jack-delay
  jacktrip
  jalv
  lame
  liblo-tools
  librsvg2-bin
  libsox-fmt-mp3
  libspa-0.2-modules
  mandoc
  mda-lv2
  mixxx
  mpv
  mpv-mpris
  openssl
  opus-tools
  pipewire
  pipewire-alsa
  pipewire-jack
  playerctl
  python3
  python3-venv
  qjackctl
  sox
  systemd
  vorbis-tools
  wireplumber
  x11-utils
  xdotool
  xvfb
  zbar-tools
  zita-njbridge
  zsh
)
# A PipeWire of its own, with its JACK.
pipewire_packages=(dbus pipewire pipewire-jack wireplumber)
# The model checker and the solver of scripts/test-model, and the compiler of what spin writes.
model_packages=(binutils gcc libc6-dev spin z3)
# The programs and peers of scripts/soak.
soak_packages=(liblo-tools mpv python3-numpy stress-ng)
# The peers that the benchmarks compare with, and what makes PNG pictures of reports.
benchmark_packages=(
  binutils
  dbus
  jack-delay
  jack-mixer
  librsvg2-bin
  libspa-0.2-modules
  pipewire
  pipewire-alsa
  pipewire-jack
  valgrind
  wireplumber
  zita-ajbridge
)
# The packages of PulseAudio, which conflicts with pipewire-alsa, so scripts/benchmark-roles unpacks it.
pulseaudio_packages=(
  libasyncns0 libcap2 libfftw3-single3 libltdl7 liborc-0.4-0 libsoxr0 libspeexdsp1 libtdb1 libwrap0
  libx11-xcb1 libxtst6 pulseaudio-utils
)

# BoringSSL's 283 files include its headers, and those of C++, again and again: as a module they are read once. It takes half of
# the time, and the machine code is the same.
cxx_modules=(
  -Xcxx -fmodules -Xcxx -fcxx-modules -Xcxx "-fmodules-cache-path=$repository/.build/ModuleCache"
)

# The options of every release build: what users run needs no Swift on their machine, and does not tell where it was built.
# Generic types are asked for by their accessors, not by name: by name the runtime looks for each of their conformances
# among all records of the program, and a command that runs for milliseconds meets most of its types once.
release_options=(
  --static-swift-stdlib
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
  -Xcc "-ffile-prefix-map=$repository=."
  -Xswiftc -file-prefix-map -Xswiftc "$repository=."
  # A tenth less to compile where there are few processors: interfaces are not compiled ahead of the rest.
  -Xswiftc -no-emit-module-separately-wmo
  "${cxx_modules[@]}"
)

# program_version: prints the version; it is written in this one place.
program_version() {
  sed -nE 's/.*let current = "([^"]+)".*/\1/p' "$repository/Sources/Host/HostVersion.swift"
}

say() { printf '== %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 69; }

# install PACKAGE…: installs the packages that are missing, with apt-get.
install() {
  local missing=() name
  for name in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null) == installed ]] \
      || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null || die "missing ${missing[*]}, and there is no apt-get to install them"
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "install ${missing[*]} first (neither root nor sudo here)"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  {
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${missing[@]}"
  } >"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2; die "apt-get could not install ${missing[*]}"; }
  rm -f "$log"
}

# browser_tools: makes .venv with the packages of Tests/Browser/requirements.txt, which drive Debian's Chromium.
browser_tools() {
  local wanted=$repository/Tests/Browser/requirements.txt venv=$repository/.venv
  # The copy is made last: it is there only where all of them are.
  cmp -s "$wanted" "$venv/requirements.txt" && return 0
  say "installing the tools of Tests/Browser from PyPI"
  rm -rf "$venv"
  /usr/bin/python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --requirement "$wanted" >&2 \
    || die "pip could not install the packages of Tests/Browser/requirements.txt"
  cp "$wanted" "$venv/requirements.txt"
}

# graph_packages GRAPH: prints the packages of programs that a graph file, or its comments, ask for.
graph_packages() {
  if grep -q 'scripts/say' "$1"; then echo espeak-ng; fi
  if grep -q '^[^#]*\bnjbridge:' "$1"; then echo zita-njbridge; fi
  if grep -q '^[^#]*\bjacktrip:' "$1"; then echo jacktrip; fi
}

# until_ended COMMAND…: runs COMMAND, hands SIGINT, SIGTERM and SIGHUP on to it as SIGTERM, and returns its status once it
# has ended. A script that dies of a signal would leave its command running.
until_ended() {
  local status=0 child
  # Without <&0 the shell would give a command in the background no input.
  "$@" <&0 &
  child=$!
  trap 'kill -TERM "$child" 2>/dev/null || true' INT TERM HUP
  while :; do
    wait "$child" && status=0 || status=$?
    # A signal ends `wait` before the command has ended.
    kill -0 "$child" 2>/dev/null || break
  done
  trap - INT TERM HUP
  return "$status"
}

# free_dead_servers: jackd counts a killed server until one of its name has come and gone, and allows no
# more than eight; libjack's metadata store wears out likewise. Where no server runs, both are nobody's.
free_dead_servers() {
  if ! pgrep -x 'jackd(mp|bus)?' >/dev/null; then
    rm -rf /dev/shm/jack-shm-registry "/dev/shm/jack_db-$EUID"
  fi
}

# build_release PRODUCT…: builds products as users run them, in .build/release; those that are newer than all sources stay.
build_release() {
  local product stamp log
  for product in "$@"; do
    stamp=$repository/.build/built-$product
    if is_newest "$stamp" && is_built "$product"; then continue; fi
    say "building $product"
    log=$(mktemp)
    mkdir -p "$repository/.build"
    # An input that changes while the build runs is newer than it.
    touch "$stamp.new"
    # A pipe also on a terminal: see piped_build.
    until_ended swift build --package-path "$repository" -c release --product "$product" "${release_options[@]}" 2>&1 \
      | tee "$log" | show_steps || { grep -E 'error|warning' "$log" >&2 || tail -n 20 "$log" >&2; rm "$log"; return 69; }
    rm "$log"
    mv "$stamp.new" "$stamp"
  done
}

# is_built PRODUCT: whether the release build has the program, or the library, of this name.
is_built() { [[ -x $repository/.build/release/$1 || -f $repository/.build/release/lib$1.so ]]; }

# is_newest FILE: whether a file is newer than every input of a build.
is_newest() {
  [[ -f $1 ]] && [[ -z $(find "$repository"/{Package.swift,Sources,scripts/lib/setup.bash} -newer "$1" -print -quit) ]]
}

# show_steps: reads what a build prints, and shows on a terminal how far it is.
show_steps() {
  local line start=$SECONDS step all left
  while IFS= read -r line; do
    [[ -t 2 && $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    step=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    ((step > 0)) || continue
    left=$(((SECONDS - start) * (all - step) / step / 60))
    printf '\r== step %d of %d, about %d min left ' "$step" "$all" "$left" >&2
  done
  [[ ! -t 2 || -z ${step-} ]] || printf '\n' >&2
}

# wait_for WHAT COMMAND…: until the command succeeds; after 20 s the script ends with an error that names WHAT.
wait_for() {
  local what=$1 end=$((SECONDS + 20))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS <= end)) || die "$what did not come up"
    sleep 0.02
  done
}

# without_remarks COMMAND…: hides the remark about each module that is compiled whole.
without_remarks() {
  local remark='^remark: Incremental compilation has been disabled'
  "$@" > >(grep -v "$remark") 2> >(grep -v "$remark" >&2)
}

# piped_build OPTION…: `swift build` as into a pipe, also on a terminal: there SwiftPM gives the compiler other options, with which all
# is built anew.
piped_build() { swift build "$@" 2> >(cat >&2) | cat; }

# part_build OPTION…: the debug build of developers, in .build: what the gate tests, or MULTIROUTE_PART. An edit compiles a few files.
part_build() {
  [[ -n ${MULTIROUTE_PART-} ]] || local -x MULTIROUTE_GATE=1
  piped_build --package-path "$repository" --quiet "$@"
}

# whole_build OPTION…: the debug build of all tests, with RealtimeSanitizer linked in; with --show-bin-path it prints where the
# programs are. Whole modules, without the index of editors, cost less where all of it is compiled (Package.swift). An edit compiles its
# whole module, so the folder is its own.
whole_build() {
  # The sanitizer is a library: what is compiled stays as it is.
  local flag sanitizer folder=${MULTIROUTE_GATE+gate} options
  options=(--package-path "$repository" --scratch-path "$repository/.build/${folder:-whole}" --disable-index-store)
  # Of what debuggers need, only the lines that a crash names: a twelfth less to compile.
  options+=(-Xswiftc -gline-tables-only)
  options+=("${cxx_modules[@]}")
  sanitizer=$("$(dirname "$(readlink -f "$(command -v swift)")")/clang" --print-resource-dir)/lib/linux/libclang_rt.rtsan-$(uname -m).a
  [[ -f $sanitizer ]] || die "the Swift toolchain has no RealtimeSanitizer: $sanitizer is missing"
  for flag in --whole-archive "$sanitizer" --no-whole-archive --export-dynamic; do options+=(-Xlinker "$flag"); done
  without_remarks env MULTIROUTE_WHOLE_MODULES=1 swift build "${options[@]}" --quiet "$@"
}

# gate_build OPTION…: the same of what the gate tests.
gate_build() { MULTIROUTE_GATE=1 whole_build "$@"; }

# The Swift toolchain is the one thing that these scripts do not install.
need_swift() {
  command -v swift >/dev/null \
    || die "no swift on PATH; install Swift 6.3 from https://www.swift.org/install/linux/"
  local version
  version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p')
  read -r major minor <<<"$version"
  ((major > 6 || (major == 6 && minor >= 3))) \
    || die "Swift ${major}.${minor} is too old; MultiRoute needs 6.3"
}
