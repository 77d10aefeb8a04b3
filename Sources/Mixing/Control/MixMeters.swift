// SPDX-License-Identifier: MIT

public import Realtime

/// The levels of all strips and routes at one time.
///
/// Strips are metered at two taps, before and behind all that acts on their level. Routes are metered at their output,
/// behind gain and limiter.
///
/// A plain value: [any-thread].
public struct MixMeters: Sendable, Equatable {
  /// The channels of one strip.
  public struct Strip: Sendable, Equatable, Identifiable {
    /// The strip's id.
    public var id: String
    /// A reading for each channel before fader, mute, solo, crossfader, duck and gate.
    ///
    /// While no send of the strip is open it needs ``MixEngine/watchLevels(_:)``.
    public var pre: [MeterReading]
    /// A reading for each channel behind all of these; silence while no send of the strip is open.
    public var post: [MeterReading]
    /// Whether its input has had a signal while a send was open, whatever the fader: then somebody may hear it.
    public var isHeard: Bool
    /// The tap that displays show.
    public var tap: StripSpec.MeterTap
  }

  /// The channels of one route.
  public struct Route: Sendable, Equatable, Identifiable {
    /// The route's id.
    public var id: String
    /// A reading for each channel.
    public var channels: [MeterReading]
    /// The lowest linear gain of the limiter since the last reading, 0…1; nil without a limiter.
    public var limiterGain: Float?
  }

  /// In the order of the spec.
  public var strips: [Strip]

  /// In the order of the spec.
  public var routes: [Route]
}

extension MeterReading {
  /// The highest magnitude since the last reading, in dB below full scale; −∞ for silence.
  public var peakDB: Double { Decibels.decibels(fromLinear: peakLinear) }

  /// The root of the integrated mean square, in dB below full scale; −∞ for silence.
  public var rmsDB: Double { Decibels.decibels(fromLinear: rmsLinear) }
}

/// An event that the audio thread reports; see ``MixEngine/collect()``.
///
/// Frames count as in the renderer's `atFrame`: the frame of the mix at which it happened. A route
/// with look-ahead is that much later.
public enum MixEvent: Sendable, Equatable {
  /// A new arrangement of strips and routes is in use.
  ///
  /// - Parameters:
  ///   - tag: The tag of ``MixEngine/apply(_:fade:tag:)``.
  ///   - frame: The first frame rendered with it.
  case planAdopted(tag: UInt64, frame: UInt64)

  /// A strip's gate has closed.
  ///
  /// - Parameters:
  ///   - strip: The strip's id.
  ///   - firstSilentFrame: From this frame on, the strip is exact silence on all routes.
  ///   - reportID: The id of ``MixEngine/setGate(strip:isOpen:fade:reportID:)``.
  case gateClosed(strip: String, firstSilentFrame: UInt64, reportID: UInt32)

  /// A strip's gate is fully open again.
  ///
  /// - Parameters:
  ///   - strip: The strip's id.
  ///   - frame: From this frame on, the gate is exact unity.
  ///   - reportID: The id of ``MixEngine/setGate(strip:isOpen:fade:reportID:)``.
  case gateOpened(strip: String, frame: UInt64, reportID: UInt32)

  /// A ramp that was given a report id has landed.
  ///
  /// - Parameters:
  ///   - reportID: The id of the setter.
  ///   - frame: From this frame on, the target holds exactly.
  case rampFinished(reportID: UInt32, frame: UInt64)

  /// The audio thread has moved the crossfader (``MixRenderer/moveCrossfader(to:atFrameOffset:)``); the spec has the
  /// position now.
  ///
  /// Of several moves in a cycle the last one is reported, and none that control has overruled.
  ///
  /// - Parameters:
  ///   - position: The position, -1 … 1.
  ///   - frame: The frame at which the ramp began.
  case crossfaderMoved(position: Double, frame: UInt64)
}
