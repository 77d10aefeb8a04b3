// SPDX-License-Identifier: MIT

/// Which host a client wants.
public enum HostAddress: Hashable, Sendable {
  /// The only one there is; with several the client must say which.
  case only
  /// The one with this name.
  case name(String)
  /// The one with this socket.
  case path(String)
}
