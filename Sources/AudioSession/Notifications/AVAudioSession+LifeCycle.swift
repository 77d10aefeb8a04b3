// SPDX-License-Identifier: MIT

public import Foundation

extension AVAudioSession {
  /// What interrupted the session.
  open class InterruptionContext: NSObject, @unchecked Sendable {
    /// Why it was interrupted.
    public let reason: InterruptionReason

    init(_ reason: InterruptionReason) { self.reason = reason }
  }

  /// Why the session became inactive.
  open class DeactivationContext: NSObject, @unchecked Sendable {
    /// Who made it inactive.
    public let source: DeactivationSource
    /// What interrupted it; nil where the app itself made it inactive.
    public let interruptionContext: InterruptionContext?

    init(_ source: DeactivationSource, _ interruptionContext: InterruptionContext?) {
      self.source = source
      self.interruptionContext = interruptionContext
    }
  }

  /// Whether to go on after an interruption.
  open class ResumptionContext: NSObject, @unchecked Sendable {
    /// Whether to go on.
    public let recommendation: ResumptionRecommendation

    init(_ recommendation: ResumptionRecommendation) { self.recommendation = recommendation }
  }

  /// How the session became inactive.
  public enum DeactivationResult: Sendable {
    /// The host interrupted it.
    case systemInterruption(InterruptionContext)
    /// The app asked for it.
    case appDeactivated
  }
}
