// SPDX-License-Identifier: MIT

public import GraphFiles

/// The hardware values that the graph file prefers (HW-1); nil for a value without a preference.
///
/// `HardwarePreferences` of `Sessions` are those of one session: a buffer by its duration only, and nothing enforced.
///
/// Pure value: [any-thread].
public struct ServerPreference: Equatable, Sendable {
  /// The I/O buffer asked for.
  public enum IOBuffer: Equatable, Sendable {
    /// A number of frames, whatever the rate.
    case frames(Int)
    /// A duration in seconds, as in `setPreferredIOBufferDuration`.
    case durationSeconds(Double)

    /// The frames that come nearest at a sample rate, at least 1.
    public func frames(atSampleRateHz sampleRateHz: Int) -> Int {
      switch self {
      case .frames(let frames): max(1, frames)
      case .durationSeconds(let seconds): max(1, Int((seconds * Double(sampleRateHz)).rounded()))
      }
    }

    /// The duration in seconds at a sample rate.
    public func durationSeconds(atSampleRateHz sampleRateHz: Int) -> Double {
      switch self {
      case .frames(let frames): Double(frames) / Double(sampleRateHz)
      case .durationSeconds(let seconds): seconds
      }
    }
  }

  /// The preferred sample rate in frames per second.
  public var sampleRateHz: Int?
  /// The preferred I/O buffer.
  public var ioBuffer: IOBuffer?
  /// The preferred number of input channels.
  public var inputChannels: Int?
  /// The preferred number of output channels.
  public var outputChannels: Int?
  /// The answer to another program that changes a value (HW-2).
  public var enforcement: GraphFile.Session.Enforcement

  /// Makes a preference from its parts.
  public init(
    sampleRateHz: Int? = nil,
    ioBuffer: IOBuffer? = nil,
    inputChannels: Int? = nil,
    outputChannels: Int? = nil,
    enforcement: GraphFile.Session.Enforcement = .never,
  ) {
    self.sampleRateHz = sampleRateHz
    self.ioBuffer = ioBuffer
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.enforcement = enforcement
  }
}
