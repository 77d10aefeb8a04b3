// SPDX-License-Identifier: MIT

import Glibc
import JACK

/// A path with a known delay between two JACK clients, as a cable between two converters is.
///
/// The input is written into a ring at its frame of the server's clock; the output reads the ring
/// so many frames later. Being two clients they are no loop in the graph.
@safe
final class DelayLine {
  /// The memory of both audio threads.
  @safe
  struct State {
    var input: AudioInputPort?
    var output: AudioOutputPort?
    let ring: UnsafeMutablePointer<Float>
    let taps: UnsafeMutablePointer<Float>
    let tapCount: Int
    let earliestFrames: Int
    let noiseLinear: Float
    var noiseState: UInt32 = 12345
  }

  static let ringFrames = 1 << 16

  private let sink: UnsafeMutablePointer<State>
  private let source: UnsafeMutablePointer<State>
  private var sinkClient: ActiveClient?
  private var sourceClient: ActiveClient?
  let inputPort: String
  let outputPort: String

  /// Starts the two clients.
  ///
  /// The delay must be at least two periods more than the interpolator's 64 frames. The delay
  /// that JACK is told (`reportedFrames`) is split between the two ports.
  init(
    server: String,
    name: String = "line",
    delayFrames: Double,
    gainLinear: Double = 1,
    noiseLinear: Float = 0,
    reportedFrames: UInt32 = 0,
  ) throws {
    let whole = Int(delayFrames.rounded(.down))
    let taps = DelayPath.taps(fraction: delayFrames - Double(whole)).map { Float($0 * gainLinear) }
    let ring = UnsafeMutablePointer<Float>.allocate(capacity: Self.ringFrames)
    unsafe ring.initialize(repeating: 0, count: Self.ringFrames)
    let weights = UnsafeMutablePointer<Float>.allocate(capacity: taps.count)
    for (index, tap) in taps.enumerated() { unsafe weights[index] = tap }
    let state = unsafe State(
      ring: ring,
      taps: weights,
      tapCount: taps.count,
      earliestFrames: whole - DelayPath.halfWidth + 1,
      noiseLinear: noiseLinear,
    )
    unsafe sink = .allocate(capacity: 1)
    unsafe sink.initialize(to: state)
    unsafe source = .allocate(capacity: 1)
    unsafe source.initialize(to: state)

    let opened = try OpenedClient.open(name: "\(name)-out", server: server)
    let input: AudioInputPort = try opened.connection.register(
      "playback",
      flags: [.physical, .terminal]
    )
    unsafe sink.pointee.input = input
    let sinkName = opened.connection.name
    let half = reportedFrames / 2
    let playback = LatencyRange(minFrames: half, maxFrames: half)
    let rest = reportedFrames - half
    let capture = LatencyRange(minFrames: rest, maxFrames: rest)
    let sinkActive = try unsafe opened.activate(process: delayLineSink, context: sink)
    try sinkActive.connection.setLatencyPaths([], own: [OwnLatency(sink: input, range: playback)])

    let other = try OpenedClient.open(name: "\(name)-in", server: server)
    let output: AudioOutputPort = try other.connection.register(
      "capture",
      flags: [.physical, .terminal]
    )
    unsafe source.pointee.output = output
    let sourceName = other.connection.name
    let sourceActive = try unsafe other.activate(process: delayLineSource, context: source)
    try sourceActive.connection.setLatencyPaths(
      [],
      own: [OwnLatency(source: output, range: capture)]
    )

    inputPort = "\(sinkName):playback"
    outputPort = "\(sourceName):capture"
    sinkClient = consume sinkActive
    sourceClient = consume sourceActive
  }

  func close() {
    sinkClient.take()?.close()
    sourceClient.take()?.close()
  }

  deinit {
    close()
    unsafe sink.pointee.ring.deallocate()
    unsafe sink.pointee.taps.deallocate()
    unsafe sink.deallocate()
    unsafe source.deallocate()
  }
}

@c(latency_lab_test_sink) @_noLocks @_noAllocation
private func delayLineSink(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: DelayLine.State.self) { state, scope in
    guard let input = unsafe state.pointee.input else { return }
    let samples = unsafe scope.samples(of: input)
    let start = Int(scope.frameTime)
    for index in 0..<samples.count {
      unsafe state.pointee.ring[(start &+ index) & 0xFFFF] = samples[index]
    }
  }
}

@c(latency_lab_test_source) @_noLocks @_noAllocation
private func delayLineSource(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: DelayLine.State.self) { state, scope in
    guard let output = unsafe state.pointee.output else { return }
    let samples = unsafe scope.samples(of: output)
    let (ring, taps) = unsafe (state.pointee.ring, state.pointee.taps)
    let count = unsafe state.pointee.tapCount
    let start = unsafe Int(scope.frameTime) &- state.pointee.earliestFrames
    for index in 0..<samples.count {
      var sum: Float = 0
      var tap = 0
      while tap < count {
        sum += unsafe taps[tap] * ring[(start &+ index &- tap) & 0xFFFF]
        tap &+= 1
      }
      let noise = unsafe state.pointee.noiseState &* 1_664_525 &+ 1_013_904_223
      unsafe state.pointee.noiseState = noise
      let random = Float(Int32(bitPattern: noise)) * 4.656_612_9e-10
      unsafe samples[index] = sum + state.pointee.noiseLinear * random
    }
  }
}

/// The faults of a path, besides noise.
enum Fault: CaseIterable {
  case none
  /// A second path of any level, earlier or later, near or far.
  case echo
  /// A stretch of the capture is missing: what follows comes too early.
  case dropout
  /// A stretch of the capture is silent.
  case mutedStretch
  /// Overdriven.
  case clipping
  /// A hum of the mains and a tone within the band.
  case tones

  func apply(
    to capture: inout [Float],
    path: DelayPath,
    probeFrames: Int,
    using random: inout TestRandom,
  ) {
    switch self {
    case .none:
      break
    case .echo:
      let distance = Double.random(in: 1...200, using: &random)
      let level = Double.random(in: -0.95...0.95, using: &random)
      // The echo of the capture, so that it lies at the distance from the path's own delay.
      let dry = capture
      DelayPath(delayFrames: distance, gainLinear: level).add(dry, to: &capture)
    case .dropout:
      // Within the arrival: an echo before it would look like a shorter delay.
      let arrival = Int(path.delayFrames) + probeFrames / 16
      let start = arrival + Int.random(in: 0..<probeFrames * 7 / 8, using: &random)
      let length = Int.random(in: 1...256, using: &random)
      capture.removeSubrange(start..<min(start + length, capture.count))
      capture += [Float](repeating: 0, count: length)
    case .mutedStretch:
      let start = Int.random(in: 0..<capture.count - 512, using: &random)
      for frame in start..<start + 512 { capture[frame] = 0 }
    case .clipping:
      let limit = Float(abs(path.gainLinear)) * 0.2
      for frame in capture.indices { capture[frame] = max(-limit, min(limit, capture[frame])) }
    case .tones:
      let level = Float(abs(path.gainLinear)) * 0.05
      for frame in capture.indices {
        let time = Double(frame)
        capture[frame] += level * (Self.sine(time * 0.001) + Self.sine(time * 0.0817))
      }
    }
  }

  private static func sine(_ turns: Double) -> Float { Float(sin(2 * .pi * turns)) }
}
