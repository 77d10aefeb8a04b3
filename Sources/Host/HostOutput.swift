// SPDX-License-Identifier: MIT

public import ControlProtocol

/// What a host tells the program that runs it.
public enum HostOutput: Sendable {
  /// It is attached to a server and plays; also after each recovery.
  case attached(HostStatus)
  /// Something happened.
  case event(ControlEvent)
  /// The levels since the last time.
  case meters(Meters)
  /// It has ended; nothing follows.
  case stopped
}
