// SPDX-License-Identifier: MIT

public import JACK
internal import Realtime

/// The memory of a node's callback: its ports and its own state.
///
/// Belongs to the audio thread.
///
/// ```swift
/// @c(gain_node) @_noLocks @_noAllocation
/// func gainNode(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
///   unsafe ProcessScope.run(frames, context, as: NodeCallback<Gain>.self) { node, scope in
///     let input = unsafe node.pointee.io.input(0, scope)
///     let output = unsafe node.pointee.io.output(0, scope)
///     for index in 0..<output.count {
///       unsafe output[index] = input[index] * node.pointee.state.factor
///     }
///   }
/// }
/// ```
public struct NodeCallback<State: ~Copyable>: ~Copyable {
  /// The ports and the host's time.
  public var io: NodeIO
  /// The node's own state.
  public var state: State

  init(io: consuming NodeIO, state: consuming State) {
    self.io = io
    self.state = state
  }
}

/// The ports of a node's callback and its host's time.
///
/// It stays at one address from publishing to closing. Belongs to the audio thread.
@safe
public struct NodeIO: ~Copyable {
  /// The number of audio inputs.
  public let inputCount: Int
  /// The number of audio outputs.
  public let outputCount: Int

  private let inputs: UnsafeMutablePointer<AudioInputPort>
  private let outputs: UnsafeMutablePointer<AudioOutputPort>
  private let midi: MIDIInputPort?
  private let host: HostSignals.Receiver

  private var hostState = HostTransportState()
  private var wasPlaying = false
  private var expectedFrame: UInt32 = 0

  init(
    inputs: [AudioInputPort],
    outputs: [AudioOutputPort],
    midi: MIDIInputPort?,
    host: HostSignals.Receiver,
  ) {
    inputCount = inputs.count
    outputCount = outputs.count
    unsafe self.inputs = .allocate(capacity: max(1, inputs.count))
    unsafe self.outputs = .allocate(capacity: max(1, outputs.count))
    self.midi = midi
    self.host = host
    for (index, port) in inputs.enumerated() { unsafe (self.inputs + index).initialize(to: port) }
    for (index, port) in outputs.enumerated() { unsafe (self.outputs + index).initialize(to: port) }
  }

  deinit {
    unsafe inputs.deallocate()
    unsafe outputs.deallocate()
  }

  /// The samples from the host in this cycle; empty for an input that does not exist.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func input(_ index: Int, _ scope: borrowing ProcessScope) -> UnsafeBufferPointer<Float> {
    guard index >= 0, index < inputCount else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    return unsafe scope.samples(of: inputs[index])
  }

  /// The samples to the host in this cycle, all of which must be written.
  ///
  /// Empty for an output that does not exist. [audio-thread & active]
  @_noLocks @_noAllocation
  public func output(
    _ index: Int,
    _ scope: borrowing ProcessScope,
  ) -> UnsafeMutableBufferPointer<Float> {
    guard index >= 0, index < outputCount else {
      return unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
    }
    return unsafe scope.samples(of: outputs[index])
  }

  /// The MIDI from the host in this cycle, in the order of frames; nil without a MIDI port.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func midiEvents(_ scope: borrowing ProcessScope) -> MIDIInputEvents? {
    guard let midi else { return nil }
    return scope.events(of: midi)
  }

  /// The value that a parameter is to have: that of its description, until a host sets another one.
  ///
  /// Head for it in a ramp (``ParameterRamp``), so that nothing is heard of the change itself.
  ///
  /// - Parameter index: The place in ``NodeDescription/parameters``.
  /// - Returns: The value; 0 for a parameter that does not exist.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func parameter(_ index: Int) -> Double { host.parameters.value(at: index) }

  /// The host's transport at the first frame of this cycle; call it once per cycle.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public mutating func hostTime(_ scope: borrowing ProcessScope) -> HostTime {
    var time = HostTime()
    let wasRecording = hostState.isRecording
    let wasCycling = hostState.isCycling
    takeAnnouncements(until: scope.frameTime)
    let transport = scope.transport
    let frame = transport.position.frame
    time.isConnected = host.isConnected
    time.isPlaying = transport.state == .rolling
    time.isRecording = hostState.isRecording
    time.isCycling = hostState.isCycling
    time.cycleStartBeat = hostState.cycleStartBeat
    time.cycleEndBeat = hostState.cycleEndBeat
    time.sampleInTimeline = Double(frame)
    time.stateChanged =
      time.isPlaying != wasPlaying || time.isRecording != wasRecording
      || time.isCycling != wasCycling || frame != expectedFrame
    wasPlaying = time.isPlaying
    expectedFrame = time.isPlaying ? frame &+ scope.frames : frame
    if let musical = transport.position.barBeatTick {
      time.take(musical, sampleRateHz: Double(transport.position.sampleRateHz))
    }
    return time
  }

  @_noLocks @_noAllocation
  private mutating func takeAnnouncements(until frameTime: UInt32) {
    while let next = host.announcements.peek(),
      Int32(bitPattern: frameTime &- next.fromFrame) >= 0
    {
      hostState = next
      _ = host.announcements.pop()
    }
  }
}

extension HostTime {
  /// Fills in the musical time. [audio-thread]
  @_noLocks @_noAllocation
  mutating func take(_ musical: BarBeatTick, sampleRateHz: Double) {
    guard musical.ticksPerBeat > 0, musical.beatsPerMinute > 0 else { return }
    hasMusicalTime = true
    tempo = musical.beatsPerMinute
    let inBeat = musical.tick / musical.ticksPerBeat
    measureDownbeat = musical.barStartTick / musical.ticksPerBeat
    beat = measureDownbeat + Double(musical.beat - 1) + inBeat
    timeSignatureNumerator = musical.beatsPerBar
    timeSignatureDenominator = musical.beatType >= 1 ? UInt32(musical.beatType) : 4
    let frames = inBeat == 0 ? 0 : (1 - inBeat) * 60 / tempo * sampleRateHz
    samplesToNextBeat = frames > 0 ? UInt32(frames + 0.5) : 0
  }
}
