// SPDX-License-Identifier: MIT

import JACK
import Synchronization

/// The audio thread of a round trip: it plays the probe, captures the answer, or both.
///
/// Player and recorder may be two clients: both count from the same frame of the server's clock.
@safe
struct RoundTripVoice: ~Copyable {
  private let output: AudioOutputPort?
  private let input: AudioInputPort?
  private let probe: UnsafeMutableBufferPointer<Float>
  private let capture: UnsafeMutableBufferPointer<Float>
  /// The frame time at which the probe starts, with ``armed`` set; 0 while idle.
  private let start = Atomic<UInt64>(0)
  private let isDone = Atomic<Bool>(false)
  private let hasGap = Atomic<Bool>(false)
  /// Frame time at which the next cycle must begin; the audio thread's own.
  private var expectedFrame: UInt32 = 0

  /// Makes a voice.
  ///
  /// - Parameters:
  ///   - output: The port that plays the probe; nil for none.
  ///   - input: The port that captures; nil for none.
  ///   - samples: The probe.
  ///   - captureFrames: The number of frames to capture, from the probe's first on.
  ///
  /// [control-thread]
  init(
    output: AudioOutputPort?,
    input: AudioInputPort?,
    samples: [Float],
    captureFrames: Int,
  ) {
    self.output = output
    self.input = input
    unsafe probe = .allocate(capacity: samples.count)
    _ = unsafe probe.initialize(from: samples)
    unsafe capture = .allocate(capacity: captureFrames)
    unsafe capture.initialize(repeating: 0)
  }

  deinit {
    unsafe probe.deallocate()
    unsafe capture.deallocate()
  }

  /// Plays another probe of the same length from the next run on; to be called while no run is under way. [control-thread]
  func take(_ samples: [Float]) { _ = unsafe probe.update(from: samples) }

  /// Asks for one run that begins at a frame time in the future. [control-thread]
  func arm(atFrame frame: UInt32) {
    isDone.store(false, ordering: .relaxed)
    hasGap.store(false, ordering: .relaxed)
    start.store(Self.armed | UInt64(frame), ordering: .releasing)
  }

  /// Whether the run is over. [any-thread]
  var isFinished: Bool { isDone.load(ordering: .acquiring) }

  /// Whether frames were lost during the run, which makes it unusable. [any-thread]
  var wasInterrupted: Bool { hasGap.load(ordering: .acquiring) }

  /// The samples captured; to be read once the run is over. [control-thread]
  func capturedSamples() -> [Float] { unsafe Array(capture) }

  /// Plays and captures one cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let frames = Int(scope.frames)
    let request = start.load(ordering: .acquiring)
    guard request & Self.armed != 0 else {
      if let output { unsafe silence(scope.samples(of: output)) }
      return
    }
    let frame = scope.frameTime
    // Position of the cycle's first frame in the run; negative before it.
    let position = Int(Int32(bitPattern: frame &- UInt32(truncatingIfNeeded: request)))
    if position > 0, frame != expectedFrame { hasGap.store(true, ordering: .relaxed) }
    expectedFrame = frame &+ scope.frames

    if let output {
      let samples = unsafe scope.samples(of: output)
      for index in 0..<frames where index < samples.count {
        let place = position + index
        let isInside = unsafe place >= 0 && place < probe.count
        unsafe samples[index] = isInside ? probe[place] : 0
      }
    }
    if let input {
      let samples = unsafe scope.samples(of: input)
      for index in 0..<frames where index < samples.count {
        let place = position + index
        if unsafe place >= 0 && place < capture.count { unsafe capture[place] = samples[index] }
      }
    }
    if unsafe position + frames >= capture.count {
      start.store(0, ordering: .relaxed)
      isDone.store(true, ordering: .releasing)
    }
  }

  @_noLocks @_noAllocation
  private func silence(_ samples: UnsafeMutableBufferPointer<Float>) {
    for index in 0..<samples.count { unsafe samples[index] = 0 }
  }

  /// Marks a frame time as one to start at.
  private static let armed: UInt64 = 1 << 32
}

/// The callback of the clients that play and capture. [audio-thread]
@c(latency_lab_round_trip) @_noLocks @_noAllocation
func roundTripProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: RoundTripVoice.self) { voice, scope in
    unsafe voice.pointee.run(scope)
  }
}
