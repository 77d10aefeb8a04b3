// SPDX-License-Identifier: MIT

public import Sessions

extension GraphFile {
  /// How the control tower treats sessions.
  public struct Tower: Sendable, Equatable {
    /// The fade of interruptions, 0…10 s.
    public var fadeDuration = Duration.milliseconds(5)
    /// How long an active session may be silent before it is listed as such, 1 s…1 h.
    public var silentAfterDuration = Duration.seconds(60)
    /// How far others are lowered.
    public var duck = Duck()
    /// The highest class that each program may use, by the program's name; others may use `app`.
    public var classes: [String: PriorityClass] = [:]
  }
}

extension GraphFile.Tower {
  /// How others are lowered while a session ducks them.
  public struct Duck: Sendable, Equatable {
    /// The gain of those that are lowered in dB, −60…0.
    public var gainDB = -14.0
    /// How long lowering takes, 0…10 s.
    public var rampDuration = Duration.milliseconds(200)
    /// How long giving it back takes, 0…10 s.
    public var restoreDuration = Duration.milliseconds(80)
  }
}
