// SPDX-License-Identifier: MIT

public import InterAppAudio
internal import JACK

/// A music effect: held notes open a gate in steps of the host's tempo, sixteenths at first.
///
/// The gate is open in the steps whose number is a multiple of the number of held notes; with one note, in every
/// step. Without a musical time it counts at 120 beats per minute. Belongs to the audio thread after publishing.
public struct NoteGate: ~Copyable {
  private var isHeld = InlineArray<128, Bool>(repeating: false)
  private var heldCount = 0
  private var level: Float = 0
  private var freeBeat = 0.0
  private let sampleRateHz: Double
  /// The level that is left of the sound while the gate is closed.
  private var floor = ParameterRamp(restingAt: 0)

  init(sampleRateHz: Double) { self.sampleRateHz = sampleRateHz }

  /// Renders a cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func render(_ io: inout NodeIO, _ scope: borrowing ProcessScope) {
    let time = io.hostTime(scope)
    let isTimed = time.isPlaying && time.hasMusicalTime
    let beat = isTimed ? time.beat : freeBeat
    let beatsPerFrame = (isTimed ? time.tempo : 120) / 60 / sampleRateHz
    let inputs = unsafe (io.input(0, scope), io.input(1, scope))
    let outputs = unsafe (io.output(0, scope), io.output(1, scope))
    let frameCount = unsafe min(outputs.0.count, outputs.1.count)
    let stepsPerBeat = io.parameter(0)
    floor.head(for: Float(1 - io.parameter(1)), frames: Int(0.02 * sampleRateHz))
    let levelPerFrame = Float(1_000 / (io.parameter(2) * sampleRateHz))
    let events = io.midiEvents(scope)
    var next = 0
    for index in 0..<frameCount {
      while let events, next < events.count, events[next].frameOffset <= index {
        take(events[next])
        next += 1
      }
      let step = Int((beat + Double(index) * beatsPerFrame) * stepsPerBeat)
      let isOpen = heldCount > 0 && step % max(1, heldCount) == 0
      level = isOpen ? min(1, level + levelPerFrame) : max(0, level - levelPerFrame)
      let floor = floor.next()
      let gain = floor + (1 - floor) * level
      unsafe outputs.0[index] = inputs.0[index] * gain
      unsafe outputs.1[index] = inputs.1[index] * gain
    }
    freeBeat = beat + Double(scope.frames) * beatsPerFrame
  }

  @_noLocks @_noAllocation
  private mutating func take(_ event: MIDIEvent) {
    switch NoteMessage(event) {
    case .on(let note, velocity: _): hold(Int(note), true)
    case .off(let note): hold(Int(note), false)
    case .allOff: for note in isHeld.indices { hold(note, false) }
    case nil: break
    }
  }

  @_noLocks @_noAllocation
  private mutating func hold(_ note: Int, _ isOn: Bool) {
    guard isHeld[note] != isOn else { return }
    isHeld[note] = isOn
    heldCount += isOn ? 1 : -1
  }

  /// The parameters, in the order in which the callback reads them.
  private static let parameters = [
    NodeParameter(
      "steps",
      range: 1...16,
      description: "the steps of a beat: 4 are sixteenths",
      value: 4,
    ),
    NodeParameter(
      "depth",
      range: 0...1,
      description: "the share of the sound that the closed gate takes away",
      value: 1,
    ),
    NodeParameter(
      "edge",
      range: 0.5...200,
      unit: "ms",
      taper: .logarithmic,
      description: "the time in which the gate opens and closes",
      value: 3,
    ),
  ]

  /// Publishes a gate. [control-thread]
  public static func publish(
    _ description: NodeDescription = ShippedNode.gate.description,
    client: String? = nil,
    server: String? = nil,
  ) throws -> PublishedNode<NoteGate> {
    var description = description
    description.parameters = parameters
    return try unsafe PublishedNode(
      description,
      client: client,
      server: server,
      process: gateProcess,
    ) { rate, _ in NoteGate(sampleRateHz: rate) }
  }
}

/// The callback of the gate. [audio-thread]
@c(multiroute_node_gate) @_noLocks @_noAllocation
func gateProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<NoteGate>.self) { node, scope in
    unsafe node.pointee.state.render(&node.pointee.io, scope)
  }
}

/// The meaning of a MIDI message for a node that plays or counts notes.
///
/// Pure value.
enum NoteMessage: BitwiseCopyable {
  case on(UInt8, velocity: UInt8)
  case off(UInt8)
  /// All notes off, all sound off, or a mode message that implies it.
  case allOff

  /// Reads a message; nil if it is about no note. [audio-thread]
  @_noLocks @_noAllocation
  init?(_ event: MIDIEvent) {
    guard unsafe event.bytes.count == 3 else { return nil }
    let (status, first, second) = unsafe (
      event.bytes[0] & 0xf0, event.bytes[1] & 0x7f, event.bytes[2]
    )
    switch status {
    case 0x90 where second > 0: self = .on(first, velocity: second)
    case 0x80, 0x90: self = .off(first)
    case 0xb0 where first == 120 || first >= 123: self = .allOff
    default: return nil
    }
  }
}
