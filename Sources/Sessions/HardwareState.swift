// SPDX-License-Identifier: MIT

/// The hardware as the tower knows it.
public struct HardwareState: Hashable, Codable, Sendable {
  /// What the server runs at and can do.
  public internal(set) var facts: HardwareFacts
  /// The values last read back from JACK.
  public internal(set) var actual: HardwareValues
  /// What the active sessions want, nil when none has a wish.
  public internal(set) var target: HardwareTarget?
  /// The values the host was asked to set last, nil before the first time.
  public internal(set) var requested: HardwareValues?
  /// How often in a row a value another client changed was put back (rule HW-2).
  public internal(set) var reassertions = 0
  /// When it was put back last.
  public internal(set) var reassertedAtNanoseconds: UInt64 = 0

  /// Whether values were asked for and not read back yet.
  public internal(set) var isSettling = false

  init(facts: HardwareFacts) {
    self.facts = facts
    actual = facts.base
  }

  /// Whether putting values back was given up, so that two programs do not fight for ever.
  public internal(set) var hasGivenUp = false
}
