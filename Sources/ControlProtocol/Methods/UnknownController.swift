// SPDX-License-Identifier: MIT

/// A MIDI controller that is plugged in and not in the graph.
///
/// Pure value: [any-thread].
public struct UnknownController: Codable, Sendable, Hashable {
  /// The reason for which a mapping file is proposed.
  public enum Fit: String, Codable, Sendable, CaseIterable {
    /// The file is made for this device.
    case device
    /// The file is made for a device of the same family.
    case similar
    /// The file is for many devices, and has the control that was moved last.
    case controls
  }

  /// The device's name.
  public var device: String
  /// Whether the host hears it: only then can a control be learned.
  public var isHeard: Bool
  /// The lines of learned controls, for the graph.
  public var learned: [String] = []
  /// The control that was moved last, such as `cc 1/7`; `null` before the first move.
  @OrNull public var lastControl: String?
  /// Its value in the message, `null` before the first move.
  @OrNull public var lastValue: Int?
  /// The mapping file that fits best, as a graph names it; `null` for none.
  @OrNull public var mappingFile: String?
  /// The reason for which it fits; `null` without a file.
  @OrNull public var mappingFit: Fit?

  /// Makes the state of a device of which nothing was moved.
  public init(device: String, isHeard: Bool) {
    self.device = device
    self.isHeard = isHeard
    lastControl = nil
    lastValue = nil
    mappingFile = nil
    mappingFit = nil
  }
}
