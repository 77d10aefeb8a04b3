// SPDX-License-Identifier: MIT

public import Realtime

/// How long a change takes, and along which curve.
public struct Fade: Sendable, Equatable {
  /// How the time is given.
  public enum Length: Sendable, Equatable {
    /// The engine's default, 5 ms unless configured.
    case standard
    /// A number of frames; 0 is a step.
    case frames(Int)
    /// Seconds, rounded to whole frames.
    case seconds(Double)
  }

  /// How long it takes.
  public var length: Length

  /// In equal steps of amplitude, or of decibels.
  public var shape: Ramp.Shape

  /// Makes a fade.
  public init(_ length: Length, shape: Ramp.Shape = .linear) {
    self.length = length
    self.shape = shape
  }

  /// The engine's default time, in equal steps of amplitude.
  public static let standard = Fade(.standard)

  /// At once: a step at the next cycle.
  public static let none = Fade(.frames(0))

  /// So many frames.
  public static func frames(_ frames: Int, shape: Ramp.Shape = .linear) -> Fade {
    Fade(.frames(frames), shape: shape)
  }

  /// So many seconds.
  public static func seconds(_ seconds: Double, shape: Ramp.Shape = .linear) -> Fade {
    Fade(.seconds(seconds), shape: shape)
  }
}
