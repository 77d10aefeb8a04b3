// SPDX-License-Identifier: MIT

public import Realtime

/// The duration and the curve of a change.
///
/// A plain value: [any-thread].
public struct Fade: Sendable, Equatable {
  /// A duration in one of three units.
  public enum Length: Sendable, Equatable {
    /// The engine's default, 5 ms unless configured.
    case standard
    /// A number of frames; 0 is a step.
    case frames(Int)
    /// Seconds, rounded to whole frames.
    case seconds(Double)
  }

  /// The duration.
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

  /// A duration in frames.
  public static func frames(_ frames: Int, shape: Ramp.Shape = .linear) -> Fade {
    Fade(.frames(frames), shape: shape)
  }

  /// A duration in seconds.
  public static func seconds(_ seconds: Double, shape: Ramp.Shape = .linear) -> Fade {
    Fade(.seconds(seconds), shape: shape)
  }
}
