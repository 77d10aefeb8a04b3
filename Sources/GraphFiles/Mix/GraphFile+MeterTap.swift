// SPDX-License-Identifier: MIT

extension GraphFile {
  /// The place of a strip at which displays show its level; the raw value is the name in the file.
  public enum MeterTap: String, Sendable, CaseIterable {
    /// Before fader, mute, crossfader, duck and gate.
    case pre
    /// Behind all of them.
    case post
  }
}
