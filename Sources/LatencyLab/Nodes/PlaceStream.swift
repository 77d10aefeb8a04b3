// SPDX-License-Identifier: MIT

import AudioFiles
import JACK
import Synchronization

/// A stream in which each sample is its own place, so that a listener sees every missing frame.
///
/// Place n of 48,000 is the sample (n + 1) / 48,000; silence is no place. Pure values: [any-thread].
enum PlaceStream {
  /// Places in the stream, after which it begins again.
  static var period: Int { @_noLocks @_noAllocation get { 48_000 } }

  /// One period of the stream.
  static var samples: [Float] { (0..<period).map { Float($0 + 1) / Float(period) } }

  /// Writes one period to a sound file.
  ///
  /// - Returns: The path.
  /// - Throws: ``LabError`` `badFile`.
  static func write(to path: String) throws(LabError) -> String {
    do throws(AudioFileError) {
      let writer = try AudioFileWriter(
        path: path,
        format: .wavFloat32,
        sampleRateHz: Double(period),
        channels: 1,
        overwrites: true,
      )
      try writer.write(samples.span)
      try writer.close()
    } catch {
      throw LabError(.badFile, error.description)
    }
    return path
  }

  /// Opens a client that plays the stream at the port `NAME:out`.
  static func player(name: String, server: String) throws(LabError) -> LabClient<PlacePlayer> {
    try unsafe LabClient(
      name: name,
      server: server,
      process: placePlayerProcess,
    ) { connection throws(JACKError) in PlacePlayer(try connection.register("out")) }
  }

  /// Opens a client that follows the stream at the port `NAME:in`, and has a port `NAME:chain` that it does not read.
  static func listener(name: String, server: String) throws(LabError) -> LabClient<PlaceListener> {
    try unsafe LabClient(
      name: name,
      server: server,
      process: placeListenerProcess,
    ) { connection throws(JACKError) in
      let listener = PlaceListener(try connection.register("in"))
      let _: AudioInputPort = try connection.register("chain")
      return listener
    }
  }
}

/// The audio thread of a client that plays a ``PlaceStream``.
struct PlacePlayer: ~Copyable {
  private let output: AudioOutputPort
  private var place = 0

  /// Makes the value. [control-thread]
  init(_ output: AudioOutputPort) { self.output = output }

  /// Writes one cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let samples = unsafe scope.samples(of: output)
    for index in 0..<samples.count {
      unsafe samples[index] = Float(place + 1) / Float(PlaceStream.period)
      place = place + 1 == PlaceStream.period ? 0 : place + 1
    }
  }
}

/// The audio thread of a client that counts the frames missing from a ``PlaceStream``.
struct PlaceListener: ~Copyable {
  /// The counts so far; the difference of two of them belongs to the time between.
  ///
  /// Pure value: [any-thread].
  struct Count: Equatable, Sendable {
    /// Frames that were missing or came twice.
    var lostFrames = 0
    /// Places at which the stream did not continue.
    var breaks = 0
    /// Frames listened to.
    var frames = 0

    static func - (later: Count, earlier: Count) -> Count {
      Count(
        lostFrames: later.lostFrames - earlier.lostFrames,
        breaks: later.breaks - earlier.breaks,
        frames: later.frames - earlier.frames,
      )
    }
  }

  private let input: AudioInputPort
  private let lostFrames = Atomic<Int>(0)
  private let breaks = Atomic<Int>(0)
  private let frames = Atomic<Int>(0)
  /// The place of the next sample; negative until the stream has begun.
  private var expected = -1
  private var isSilent = false

  /// Makes the value. [control-thread]
  init(_ input: AudioInputPort) { self.input = input }

  /// The counts so far. [any-thread]
  var count: Count {
    Count(
      lostFrames: lostFrames.load(ordering: .relaxed),
      breaks: breaks.load(ordering: .relaxed),
      frames: frames.load(ordering: .relaxed),
    )
  }

  /// Follows the stream for one cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let samples = unsafe scope.samples(of: input)
    let period = PlaceStream.period
    var (lost, broken) = (0, 0)
    for index in 0..<samples.count {
      let sample = unsafe samples[index]
      guard sample != 0 else {
        guard expected >= 0 else { continue }
        if !isSilent { broken += 1 }
        isSilent = true
        lost += 1
        expected = expected + 1 == period ? 0 : expected + 1
        continue
      }
      let isPlace = sample > 0 && sample <= 1
      let place = isPlace ? max(0, Int(sample * Float(period) + 0.5) - 1) : 0
      if expected >= 0, place != expected {
        let step = (place - expected + period) % period
        lost += min(step, period - step)
        if !isSilent { broken += 1 }
      }
      isSilent = false
      expected = place + 1 == period ? 0 : place + 1
    }
    lostFrames.wrappingAdd(lost, ordering: .relaxed)
    breaks.wrappingAdd(broken, ordering: .relaxed)
    frames.wrappingAdd(samples.count, ordering: .relaxed)
  }
}

/// The callback of the client that plays. [audio-thread]
@c(latency_lab_place_player) @_noLocks @_noAllocation
func placePlayerProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: PlacePlayer.self) { voice, scope in
    unsafe voice.pointee.run(scope)
  }
}

/// The callback of the client that listens. [audio-thread]
@c(latency_lab_place_listener) @_noLocks @_noAllocation
func placeListenerProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: PlaceListener.self) { voice, scope in
    unsafe voice.pointee.run(scope)
  }
}

extension LabClient where State: ~Copyable {
  /// Connects two ports, either of them another client's.
  func connect(_ source: String, to destination: String) throws(LabError) {
    let connection = connection
    _ = try LabError.wrapping { () throws(JACKError) in
      try connection.connect(source, to: destination)
    }
  }
}
