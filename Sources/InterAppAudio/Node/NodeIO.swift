// SPDX-License-Identifier: MIT

public import JACK
internal import Realtime
internal import Synchronization

/// What the callback of a node reaches: its ports and its host's time.
///
/// Lives behind one pointer from publishing to closing; the audio thread alone uses it but for
/// `isConnected`.
@safe
public struct NodeIO: ~Copyable {
  /// How many audio inputs there are.
  public let inputCount: Int
  /// How many audio outputs there are.
  public let outputCount: Int

  private let inputs: UnsafeMutablePointer<AudioInputPort>
  private let outputs: UnsafeMutablePointer<AudioOutputPort>
  private let midi: MIDIInputPort?
  private let announcements: SPSCQueue<HostTransportState>.Consumer
  let isConnected = Atomic<Bool>(false)

  private var hostState = HostTransportState()
  private var wasPlaying = false
  private var expectedFrame: UInt32 = 0

  init(
    inputs: [AudioInputPort],
    outputs: [AudioOutputPort],
    midi: MIDIInputPort?,
    announcements: SPSCQueue<HostTransportState>.Consumer,
  ) {
    inputCount = inputs.count
    outputCount = outputs.count
    unsafe self.inputs = .allocate(capacity: max(1, inputs.count))
    unsafe self.outputs = .allocate(capacity: max(1, outputs.count))
    self.midi = midi
    self.announcements = announcements
    for (index, port) in inputs.enumerated() { unsafe (self.inputs + index).initialize(to: port) }
    for (index, port) in outputs.enumerated() { unsafe (self.outputs + index).initialize(to: port) }
  }

  deinit {
    unsafe inputs.deallocate()
    unsafe outputs.deallocate()
  }

  /// The samples from the host in this cycle; empty for an input that is not there.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func input(_ index: Int, _ scope: borrowing ProcessScope) -> UnsafeBufferPointer<Float> {
    guard index >= 0, index < inputCount else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    return unsafe scope.samples(of: inputs[index])
  }

  /// Where the samples to the host go, all of which must be written.
  ///
  /// Empty for an output that is not there. [audio-thread & active]
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

  /// The MIDI from the host in this cycle, in order of the frames; none where there is no port.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func midiEvents(_ scope: borrowing ProcessScope) -> MIDIInputEvents? {
    guard let midi else { return nil }
    return scope.events(of: midi)
  }

  /// The host's transport at the first frame of this cycle; to be asked once a cycle.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public mutating func hostTime(_ scope: borrowing ProcessScope) -> HostTime {
    var time = HostTime()
    let wasRecording = hostState.isRecording
    let wasCycling = hostState.isCycling
    takeAnnouncements(until: scope.frameTime)
    let transport = scope.transport
    let frame = transport.position.frame
    time.isConnected = isConnected.load(ordering: .relaxed)
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
    while let next = announcements.peek(),
      Int32(bitPattern: frameTime &- next.fromFrame) >= 0
    {
      hostState = next
      _ = announcements.pop()
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
