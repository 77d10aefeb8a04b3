// SPDX-License-Identifier: MIT

internal import Glibc

/// A PipeWire of its own: message bus, daemon, session manager, and a device without hardware.
///
/// It is separate from the user's PipeWire. A program that runs under `pw-jack` in the session's environment
/// sees a JACK server with the ports `system:playback_1`, … and `system:capture_1`, …; the device runs by
/// itself, so that the server's cycles do not depend on clients.
public final class PipeWireSession: Sendable {
  /// The session's programs, environment and folder.
  public let session: ShellSession

  private let channels: Int

  /// Environment variables for its programs, which also need `pw-jack` in front of them.
  public var environment: [String: String] { session.environment }

  /// Starts everything and waits until the device's ports are there.
  ///
  /// - Parameter channels: How many channels the device plays, and as many it captures.
  /// - Throws: ``TestFailure`` when a program is missing or the ports do not appear within 20 s.
  public init(channels: Int = 4) async throws {
    session = try ShellSession(
      script: Self.script,
      files: ["config/pipewire/pipewire.conf.d/device.conf": Self.device(channels: channels)],
    )
    self.channels = channels
    try await waitForPorts()
  }

  deinit { stop() }

  /// Runs a JACK program as a client of this PipeWire to its end.
  ///
  /// - Parameter command: The program's name and its arguments.
  /// - Returns: Its standard output, without white space around it.
  /// - Throws: ``TestFailure`` when its exit code is not 0.
  @discardableResult
  public func jack(_ command: String...) throws -> String {
    try session.run(["pw-jack"] + command)
  }

  /// The process id of the daemon.
  ///
  /// - Returns: The id.
  /// - Throws: ``TestFailure`` while there is none.
  public func daemonPID() throws -> Int32 {
    guard let pid = Int32(try session.run(["cat", "\(session.folder)/daemon"])) else {
      throw TestFailure("PipeWire does not run")
    }
    return pid
  }

  /// Ends PipeWire, as when the cable of its card were pulled.
  ///
  /// - Throws: ``TestFailure`` when it does not end.
  public func unplug() async throws {
    let pid = try daemonPID()
    try session.order("unplug")
    try await waitUntil("PipeWire is gone") { kill(pid, 0) != 0 }
  }

  /// Starts PipeWire again, and waits until its ports are there.
  ///
  /// - Throws: ``TestFailure`` when they do not appear within 20 s.
  public func plug() async throws {
    try session.order("plug")
    try await waitForPorts()
  }

  private func waitForPorts() async throws {
    do {
      try await waitUntil("PipeWire's ports are there") {
        let ports = (try? jack("jack_lsp"))?.split(separator: "\n") ?? []
        return ports.contains("system:playback_\(channels)")
      }
    } catch {
      throw TestFailure("\(error): \(session.log)")
    }
  }

  /// Ends everything and deletes the session's folder.
  public func stop() { session.stop() }

  private static let script = """
    plug() {
      pipewire & daemon=$!
      echo $daemon >"$HOME/daemon"
      # The socket is there a moment before PipeWire listens at it.
      until pw-cli info 0 >/dev/null 2>&1; do kill -0 $daemon || break; sleep 0.02; done
      wireplumber & manager=$!
    }
    unplug() {
      [ -n "$daemon" ] || return
      kill -CONT $daemon
      kill $manager $daemon
      wait $manager $daemon
      daemon=
    }
    dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" \
      --print-address >"$XDG_RUNTIME_DIR/bus-address" & bus=$!
    until [ -s "$XDG_RUNTIME_DIR/bus-address" ]; do kill -0 $bus || break; sleep 0.02; done
    plug
    while read -r order; do "$order"; done
    unplug
    kill $bus
    wait
    """

  private static func device(channels: Int) -> String {
    // Channels without positions get numbers in their ports' names, as with jackd.
    """
    context.objects = [
      { factory = adapter
        args = {
          factory.name = support.null-audio-sink
          node.name = "system"
          node.description = "system"
          media.class = "Audio/Duplex"
          audio.channels = \(channels)
          priority.driver = 9000
          priority.session = 9000
          node.pause-on-idle = false
          session.suspend-timeout-seconds = 0
        }
      }
    ]
    """
  }
}
