// SPDX-License-Identifier: MIT

internal import CJACK

/// Which way a latency is counted.
public enum LatencyMode: Sendable, Hashable {
  /// From the terminal inputs, such as microphones, to the port.
  case capture
  /// From the port to the terminal outputs, such as loudspeakers.
  case playback

  init(_ mode: jack_latency_callback_mode_t) {
    self = mode == JackCaptureLatency ? .capture : .playback
  }

  var jack: jack_latency_callback_mode_t {
    self == .capture ? JackCaptureLatency : JackPlaybackLatency
  }
}

/// The shortest and the longest way that a signal takes.
public struct LatencyRange: BitwiseCopyable, Hashable, Sendable {
  /// Over the shortest way.
  public var minFrames: UInt32
  /// Over the longest way.
  public var maxFrames: UInt32

  /// Makes a range; `maxFrames` is raised to `minFrames`.
  public init(minFrames: UInt32, maxFrames: UInt32) {
    self.minFrames = minFrames
    self.maxFrames = max(minFrames, maxFrames)
  }

  /// The range that covers both.
  func union(_ other: LatencyRange) -> LatencyRange {
    LatencyRange(
      minFrames: min(minFrames, other.minFrames),
      maxFrames: max(maxFrames, other.maxFrames),
    )
  }

  /// The range after a way of `frames` more.
  func delayed(by frames: UInt32) -> LatencyRange {
    LatencyRange(minFrames: minFrames &+ frames, maxFrames: maxFrames &+ frames)
  }
}

/// A way through a client, from one of its inputs to one of its outputs.
public struct LatencyPath: Hashable, Sendable {
  /// Where the signal comes in.
  public let input: AnyClientPort
  /// Where it leaves.
  public let output: AnyClientPort
  /// How long it takes.
  public let frames: UInt32

  /// Makes a path.
  public init<InputKind, OutputKind>(
    input: ClientPort<InputKind, InputDirection>,
    output: ClientPort<OutputKind, OutputDirection>,
    frames: UInt32,
  ) {
    self.input = input.untyped
    self.output = output.untyped
    self.frames = frames
  }
}

/// The latency that a client states for a port at which signals begin or end.
public struct OwnLatency: Hashable, Sendable {
  /// The port: an output where signals begin (capture), an input where they end (playback).
  public let port: AnyClientPort
  /// Which way it is counted.
  public let mode: LatencyMode
  /// How long it takes.
  public let range: LatencyRange

  /// Makes the statement for a source: signals leaving by `output` are this old already.
  public init<Kind>(source output: ClientPort<Kind, OutputDirection>, range: LatencyRange) {
    self.port = output.untyped
    self.mode = .capture
    self.range = range
  }

  /// Makes the statement for a sink: signals entering by `input` will take this much longer.
  public init<Kind>(sink input: ClientPort<Kind, InputDirection>, range: LatencyRange) {
    self.port = input.untyped
    self.mode = .playback
    self.range = range
  }
}
