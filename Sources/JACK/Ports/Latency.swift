// SPDX-License-Identifier: MIT

internal import CJACK

/// Direction in which a latency is counted.
///
/// Pure value: [any-thread].
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

/// Shortest and longest delay of a signal.
///
/// Pure value: [any-thread].
public struct LatencyRange: BitwiseCopyable, Hashable, Sendable {
  /// Delay over the shortest path, in frames.
  public var minFrames: UInt32
  /// Delay over the longest path, in frames.
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

  /// The range with `frames` added to both ends.
  func delayed(by frames: UInt32) -> LatencyRange {
    LatencyRange(minFrames: minFrames &+ frames, maxFrames: maxFrames &+ frames)
  }
}

/// Path of a signal through a client, from one of its inputs to one of its outputs.
///
/// Pure value: [any-thread].
public struct LatencyPath: Hashable, Sendable {
  /// The input.
  public let input: AnyClientPort
  /// The output.
  public let output: AnyClientPort
  /// Delay in frames.
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
///
/// Pure value: [any-thread].
public struct OwnLatency: Hashable, Sendable {
  /// The port: an output where signals begin (capture), an input where they end (playback).
  public let port: AnyClientPort
  /// Direction in which it is counted.
  public let mode: LatencyMode
  /// Delay in frames.
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

/// Latencies that a client states in JACK's latency callback.
///
/// Pure value: [any-thread].
struct LatencyPlan: Sendable {
  var paths: [LatencyPath] = []
  var own: [OwnLatency] = []
  /// All ports of the client.
  var ports: Set<AnyClientPort> = []
  /// Whether the client has stated its paths; libjack's own answer stands for one that has not.
  var isStated = false

  /// Forgets a port that is about to go.
  mutating func remove(_ port: AnyClientPort) {
    paths.removeAll { $0.input == port || $0.output == port }
    own.removeAll { $0.port == port }
    ports.remove(port)
  }

  /// Sets the ranges of all ports that have a path or a statement of their own.
  ///
  /// Capture runs from inputs to outputs, playback the other way; a port with several paths gets
  /// the shortest and the longest of just these. In JACK's latency callback only.
  func apply(_ mode: LatencyMode) {
    var ranges: [AnyClientPort: LatencyRange] = [:]
    for path in paths {
      let (from, to) =
        mode == .capture ? (path.input, path.output) : (path.output, path.input)
      guard let range = LatencyRange(of: from, mode)?.delayed(by: path.frames) else { continue }
      ranges[to] = ranges[to]?.union(range) ?? range
    }
    for statement in own where statement.mode == mode {
      ranges[statement.port] = ranges[statement.port]?.union(statement.range) ?? statement.range
    }
    for (port, range) in ranges {
      guard let handle = unsafe port.handle else { continue }
      var range = jack_latency_range_t(min: range.minFrames, max: range.maxFrames)
      unsafe jack_port_set_latency_range(handle, mode.jack, &range)
    }
  }
}

extension LatencyPlan {
  /// Answers as libjack does for a client without a callback (`JackClient::HandleLatencyCallback` of jack2).
  ///
  /// Each port depends on all of the other direction, on the shortest and on the longest path. In JACK's latency callback only.
  func applyStandard(_ mode: LatencyMode) {
    let (from, to) =
      mode == .capture ? (JackPortIsInput, JackPortIsOutput) : (JackPortIsOutput, JackPortIsInput)
    let ranges = ports.filter { $0.has(from) }.compactMap { LatencyRange(of: $0, mode) }
    let range = ranges.dropFirst().reduce(ranges.first) { $0?.union($1) }
    for port in ports where port.has(to) {
      guard let handle = unsafe port.handle else { continue }
      var latency = jack_latency_range_t(min: range?.minFrames ?? 0, max: range?.maxFrames ?? 0)
      unsafe jack_port_set_latency_range(handle, mode.jack, &latency)
    }
  }
}

extension AnyClientPort {
  /// Whether the port has a flag.
  fileprivate func has(_ flag: JackPortFlags) -> Bool {
    guard let handle = unsafe handle else { return false }
    return unsafe UInt32(bitPattern: jack_port_flags(handle)) & flag.rawValue != 0
  }
}

extension LatencyRange {
  /// The present range of a port.
  init?(of port: AnyClientPort, _ mode: LatencyMode) {
    guard let handle = unsafe port.handle else { return nil }
    unsafe self.init(handle: handle, mode)
  }

  init(handle: OpaquePointer, _ mode: LatencyMode) {
    var range = jack_latency_range_t(min: 0, max: 0)
    unsafe jack_port_get_latency_range(handle, mode.jack, &range)
    self.init(minFrames: range.min, maxFrames: range.max)
  }
}
