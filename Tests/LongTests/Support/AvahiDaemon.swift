// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

@testable import EndToEndSupport

/// A real avahi-daemon on a message bus of its own, on this machine or on a second one.
final class AvahiDaemon {
  /// A service as avahi-browse shows it.
  struct Service: Equatable {
    let name: String
    let address: String
    let port: Int
    let text: String
  }

  /// Environment variables for programs that ask this daemon.
  let environment: [String: String]
  private let session: ShellSession
  private let prefix: [String]

  /// Starts the bus, and the daemon unless it is to come later.
  ///
  /// - Parameters:
  ///   - name: The machine's name in the network.
  ///   - interface: The only network interface that it uses.
  ///   - machine: The machine on which both run; nil for this one.
  ///   - starts: Whether the daemon is started, too.
  /// - Throws: ``TestFailure`` when one of them does not answer.
  init(
    name: String,
    interface: String,
    on machine: SecondMachine? = nil,
    starts: Bool = true,
  ) async throws {
    // A folder of its own for its process id, which would be that of every daemon of this machine.
    prefix = machine?.command([]) ?? ["unshare", "--mount", "--"]
    session = try ShellSession(
      script: Self.script,
      files: ["bus.conf": Self.bus, "avahi.conf": Self.settings(name: name, interface: interface)],
      environment: ["AT": prefix.joined(separator: " ")],
    )
    environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(session.folder)/run/system"]
    try await waitUntil("there is a bus of the system") { [session] in
      FileManager.default.fileExists(atPath: session.folder + "/run/system")
    }
    if starts { try await start() }
  }

  deinit { session.stop() }

  /// Starts the daemon, and waits until it answers.
  func start() async throws {
    try session.order("start")
    try await waitUntil("avahi-daemon answers") {
      (try? await ask("avahi-browse", "-at")) != nil
    }
  }

  /// Ends the daemon.
  func stop() async throws {
    try session.order("stop")
    try await waitUntil("avahi-daemon has ended") { (try? await ask("avahi-browse", "-at")) == nil }
  }

  /// The services of a type that are found now.
  func services(_ type: String) async throws -> [Service] {
    let lines = try await ask("avahi-browse", "-rptk", type).split(separator: "\n")
    return lines.compactMap { line in
      let fields = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 10, fields[0] == "=" else { return nil }
      return Service(
        name: fields[3],
        address: fields[7],
        port: Int(fields[8]) ?? 0,
        text: fields[9],
      )
    }
  }

  private func ask(_ words: String...) async throws -> String {
    let command = prefix + ["env"] + environment.map { "\($0)=\($1)" } + words
    let end = try await runProgram(command[0], Array(command.dropFirst()))
    guard end.status == 0 else { throw TestFailure("\(words): \(end.errors)\n\(session.log)") }
    return end.output
  }

  private static let script = """
    export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$XDG_RUNTIME_DIR/system"
    sed -i "s|ADDRESS|$DBUS_SYSTEM_BUS_ADDRESS|" "$HOME/bus.conf"
    dbus-daemon --config-file="$HOME/bus.conf" --nofork --nopidfile & bus=$!
    end() { [ -z "$daemon" ] || { kill $daemon; wait $daemon; }; daemon=; }
    while read -r order; do
      case $order in
      start)
        $AT sh -c 'mkdir -p /run/avahi-daemon; mount -t tmpfs tmpfs /run/avahi-daemon
          exec avahi-daemon --file="$HOME/avahi.conf" --no-drop-root --no-chroot --no-rlimits' &
        daemon=$! ;;
      stop) end ;;
      esac
    done
    end
    kill $bus
    wait
    """

  private static let bus = """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>system</type>
      <listen>ADDRESS</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow user="*"/>
        <allow own="*"/>
        <allow send_destination="*"/>
        <allow receive_sender="*"/>
      </policy>
    </busconfig>
    """

  private static func settings(name: String, interface: String) -> String {
    """
    [server]
    host-name=\(name)
    allow-interfaces=\(interface)
    use-ipv4=yes
    use-ipv6=no
    [publish]
    publish-hinfo=no
    publish-workstation=no
    """
  }
}
