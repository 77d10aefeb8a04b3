// SPDX-License-Identifier: MIT

public import ControlProtocol

/// A report of a host to the program that runs it.
public enum HostOutput: Sendable {
  /// It is attached to a server and plays; also after each recovery.
  case attached(HostStatus)
  /// An event.
  case event(ControlEvent)
  /// Whether there are changes by users that are not on the disk yet; reported on change.
  case unsaved(Bool)
  /// The levels since the last time.
  case meters(Meters)
  /// The host has ended; this is the last report.
  case stopped
}
