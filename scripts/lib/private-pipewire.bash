# SPDX-License-Identifier: MIT
# Sourced: a PipeWire of its own, with a device without hardware, that shares nothing with the user's.

# start_private_pipewire FOLDER: starts message bus, daemon and session manager, and sets the environment
# in which `pw-jack PROGRAM` is their client. Their process ids are added to the array `children`.
start_private_pipewire() {
  local folder=$1
  mkdir -p "$folder/runtime" "$folder/config/pipewire/pipewire.conf.d" "$folder/state"
  chmod 700 "$folder/runtime"
  export HOME=$folder XDG_RUNTIME_DIR=$folder/runtime XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state
  export DBUS_SESSION_BUS_ADDRESS=unix:path=$folder/runtime/bus
  # The device runs by itself, so that cycles do not depend on clients; its four channels get numbers.
  cat >"$XDG_CONFIG_HOME/pipewire/pipewire.conf.d/device.conf" <<'END'
context.objects = [
  { factory = adapter
    args = {
      factory.name = support.null-audio-sink
      node.name = "system"
      node.description = "system"
      media.class = "Audio/Duplex"
      audio.channels = 4
      priority.driver = 9000
      priority.session = 9000
      node.pause-on-idle = false
      session.suspend-timeout-seconds = 0
    }
  }
]
END
  dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" \
    >"$folder/dbus.log" 2>&1 &
  children+=($!)
  wait_for "the message bus" test -S "$folder/runtime/bus"
  pipewire >"$folder/pipewire.log" 2>&1 &
  children+=($!)
  # The socket is there a moment before PipeWire listens at it, and WirePlumber tries once.
  wait_for "PipeWire" pw-cli info 0
  wireplumber >"$folder/wireplumber.log" 2>&1 &
  children+=($!)
  local tries
  for tries in {1..200}; do
    pw-jack jack_lsp 2>/dev/null | grep -q '^system:playback_4' && return 0
    sleep 0.1
  done
  die "PipeWire does not answer: $(tail -n 3 "$folder/pipewire.log")"
}
