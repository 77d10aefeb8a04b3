// SPDX-License-Identifier: MIT

/// Combines the preferences of several sessions into one target (rule HW-4).
///
/// Pure value: [any-thread].
public enum HardwareArbiter {
  /// The preferences of one active session.
  public struct Claim: Hashable, Sendable {
    /// The session.
    public var session: SessionID
    /// The session's class.
    public var priorityClass: PriorityClass
    /// Whether the session mixes.
    public var isMixable: Bool
    /// The place in the order of activations; higher is later.
    public var activationOrder: UInt64
    /// The session's preferences.
    public var preferences: HardwarePreferences

    /// Makes a claim.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - priorityClass: The session's class.
    ///   - isMixable: Whether the session mixes.
    ///   - activationOrder: The place in the order of activations.
    ///   - preferences: The session's preferences.
    public init(
      session: SessionID,
      priorityClass: PriorityClass,
      isMixable: Bool,
      activationOrder: UInt64,
      preferences: HardwarePreferences,
    ) {
      self.session = session
      self.priorityClass = priorityClass
      self.isMixable = isMixable
      self.activationOrder = activationOrder
      self.preferences = preferences
    }
  }

  /// The smallest buffer of all, and the rate of the highest class.
  ///
  /// Within a class, the rate of a non-mixable session counts before that of a mixable one, then that of the
  /// session activated last.
  ///
  /// - Parameters:
  ///   - claims: The preferences of the active sessions, in any order.
  ///   - facts: The server's limits.
  ///   - actual: The values without any preference.
  /// - Returns: The target; nil without any preference for rate or buffer.
  public static func decide(
    _ claims: [Claim],
    facts: HardwareFacts,
    actual: HardwareValues
  ) -> HardwareTarget? {
    var target = HardwareTarget(values: actual)
    var rateClaim: Claim?
    for claim in claims where claim.preferences.sampleRateHz != nil {
      if let best = rateClaim, !beats(claim, best) { continue }
      rateClaim = claim
    }
    if let rateClaim, let preferredHz = rateClaim.preferences.sampleRateHz {
      target.sampleRateOwner = rateClaim.session
      if facts.canSetSampleRate { target.values.sampleRateHz = nearestRate(to: preferredHz, facts) }
    }
    var smallest: Int?
    for claim in claims {
      guard let seconds = claim.preferences.ioBufferSeconds else { continue }
      let frames = bufferFrames(
        seconds: seconds,
        sampleRateHz: target.values.sampleRateHz,
        facts: facts
      )
      if let smallest, smallest <= frames { continue }
      smallest = frames
      target.bufferOwner = claim.session
    }
    if let smallest { target.values.bufferFrames = smallest }
    return target.sampleRateOwner == nil && target.bufferOwner == nil ? nil : target
  }

  /// The period nearest to a duration: a power of two within the server's limits.
  ///
  /// - Parameters:
  ///   - seconds: The duration in seconds.
  ///   - sampleRateHz: The sample rate in Hz.
  ///   - facts: The server's limits.
  /// - Returns: The period in frames.
  public static func bufferFrames(
    seconds: Double,
    sampleRateHz: Double,
    facts: HardwareFacts
  ) -> Int {
    let framesPreferred = min(seconds * sampleRateHz, 1_048_576)
    var frames = 1
    // Nearest by ratio: the border between n and 2n is n times the square root of 2.
    while Double(frames) * 2.0.squareRoot() < framesPreferred { frames *= 2 }
    return min(max(frames, facts.minimumBufferFrames), facts.maximumBufferFrames)
  }

  private static func beats(_ claim: Claim, _ other: Claim) -> Bool {
    if claim.priorityClass.rank != other.priorityClass.rank {
      return claim.priorityClass.rank > other.priorityClass.rank
    }
    if claim.isMixable != other.isMixable { return other.isMixable }
    return claim.activationOrder > other.activationOrder
  }

  private static func nearestRate(to preferredHz: Double, _ facts: HardwareFacts) -> Double {
    facts.sampleRatesHz.min { abs($0 - preferredHz) < abs($1 - preferredHz) } ?? preferredHz
  }
}
