# SPDX-License-Identifier: MIT
# Sourced by the scripts beside it: where the repository is, and what must be installed.

set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# What the package is built with.
build_packages=(
  libasound2-dev
  libjack-jackd2-dev
  liblo-dev
  libsamplerate0-dev
  libsmf-dev
  libsndfile1-dev
  libsystemd-dev
  libzita-resampler-dev
  pkg-config
)
# What `multiroute run` needs beside it.
run_packages=(
  jackd2
  procps
)
# The real programs that the tests run against.
test_packages=(
  dbus
  espeak-ng
  fluid-soundfont-gm
  fluidsynth
  imagemagick
  jack-delay
  jacktrip
  jalv
  libsox-fmt-mp3
  mda-lv2
  mixxx
  mpv
  mpv-mpris
  pipewire
  pipewire-alsa
  pipewire-jack
  playerctl
  python3
  qjackctl
  sox
  wireplumber
  x11-utils
  xdotool
  xvfb
  zita-njbridge
)
# A PipeWire of its own, with its JACK.
pipewire_packages=(dbus pipewire pipewire-jack wireplumber)
# The peers that the benchmarks compare with, and what makes PNG pictures of reports.
benchmark_packages=(
  dbus
  jack-delay
  jack-mixer
  librsvg2-bin
  pipewire
  pipewire-alsa
  pipewire-jack
  wireplumber
  zita-ajbridge
)
# What PulseAudio needs; it conflicts with pipewire-alsa itself, so scripts/benchmark-roles unpacks it.
pulseaudio_packages=(
  libasyncns0 libcap2 libfftw3-single3 libltdl7 liborc-0.4-0 libsoxr0 libspeexdsp1 libtdb1 libwrap0
  libx11-xcb1 libxtst6 pulseaudio-utils
)

say() { printf '== %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 69; }

# install PACKAGE…: installs with apt-get what dpkg does not have yet.
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

# free_dead_servers: jackd counts a killed server until one of its name has come and gone, and allows no
# more than eight; libjack's metadata store wears out likewise. Where no server runs, both are nobody's.
free_dead_servers() {
  if ! pgrep -x 'jackd(mp|bus)?' >/dev/null; then
    rm -rf /dev/shm/jack-shm-registry "/dev/shm/jack_db-$EUID"
  fi
}

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
