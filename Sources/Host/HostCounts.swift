// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// What the host has counted since its start, over all servers.
struct HostCounts: Sendable {
  /// Callbacks on servers that are gone.
  var cyclesBefore: UInt64 = 0
  /// Xruns that JACK has told of.
  var xruns: UInt64 = 0
  /// The last of them.
  var lastXrun: XrunStatus?
  /// How often a server was lost and found again.
  var restarts = 0
}
