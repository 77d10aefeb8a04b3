// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// The user's PipeWire. [any-thread]
package enum PipeWireDaemon {
  /// Whether it waits for clients, or whoever starts it then does.
  package static var isListening: Bool {
    let folder = Machine.variable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
    return Machine.this.sockets(at: "\(folder)/pipewire-0").contains(where: \.isListening)
  }
}
