// SPDX-License-Identifier: MIT

internal import CJACK

/// What a port is.
public struct PortFlags: OptionSet, Hashable, Sendable {
  /// The bits of `JackPortFlags`.
  public let rawValue: UInt32

  /// Makes flags from the bits of `JackPortFlags`.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ flag: JackPortFlags) {
    self.init(rawValue: flag.rawValue)
  }

  /// Data flows into the port.
  public static let input = PortFlags(JackPortIsInput)
  /// Data flows out of the port.
  public static let output = PortFlags(JackPortIsOutput)
  /// The port stands for hardware.
  public static let physical = PortFlags(JackPortIsPhysical)
  /// The port's client can monitor it.
  public static let canMonitor = PortFlags(JackPortCanMonitor)
  /// Signals begin or end here: hardware, a synthesiser, a recorder.
  public static let terminal = PortFlags(JackPortIsTerminal)
}
