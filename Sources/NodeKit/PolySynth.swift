// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Glibc
public import InterAppAudio
internal import JACK

/// An instrument: sixteen voices of one wave, each with a short attack and a soft release.
///
/// A note begins at the frame of its MIDI message. Belongs to the audio thread after publishing.
@safe
public struct PolySynth: ~Copyable {
  private struct Voice: BitwiseCopyable {
    var note: UInt8 = 255
    var isHeld = false
    var phase: Float = 0
    var step: Float = 0
    var level: Float = 0
    var peak: Float = 0
    var age: UInt64 = 0
  }

  /// The range of the largest level of one voice, in dBFS.
  public static let gainRangeDB = -90.0...0.0

  private static let tableLength = 2048

  private var voices = InlineArray<16, Voice>(repeating: Voice())
  private var count: UInt64 = 0
  private let table: UnsafeMutablePointer<Float>
  private let steps: UnsafeMutablePointer<Float>
  private let sampleRateHz: Double
  private var attackPerFrame: Float = 0
  private var releaseFactor: Float = 0
  /// The decibels that the gain heads for.
  private var gainDB: Double
  private var gainLinear: ParameterRamp
  /// The gain of each frame of a cycle's part.
  private var gains = InlineArray<64, Float>(repeating: 0)

  init(gainDB: Double, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    self.gainDB = gainDB
    gainLinear = ParameterRamp(restingAt: Float(pow(10, gainDB / 20)))
    unsafe table = .allocate(capacity: Self.tableLength)
    unsafe steps = .allocate(capacity: 128)
    for index in 0..<Self.tableLength {
      // Eight weakened harmonics of a sawtooth: no note of the keyboard aliases.
      let angle = 2 * Double.pi * Double(index) / Double(Self.tableLength)
      let value = (1...8).reduce(0.0) { $0 + sin(Double($1) * angle) / pow(Double($1), 1.5) }
      unsafe (table + index).initialize(to: Float(value * 0.5))
    }
    for note in 0..<128 {
      let frequencyHz = 440 * pow(2, Double(note - 69) / 12)
      let step = min(frequencyHz / sampleRateHz, 0.5) * Double(Self.tableLength)
      unsafe (steps + note).initialize(to: Float(step))
    }
  }

  deinit {
    unsafe table.deallocate()
    unsafe steps.deallocate()
  }

  /// Renders a cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func render(_ io: borrowing NodeIO, _ scope: borrowing ProcessScope) {
    let outputs = unsafe (io.output(0, scope), io.output(1, scope))
    let length = unsafe min(outputs.0.count, outputs.1.count)
    takeParameters(io)
    var done = 0
    if let events = io.midiEvents(scope) {
      for index in 0..<events.count {
        let event = events[index]
        let until = min(Int(event.frameOffset), length)
        unsafe play(outputs.0, outputs.1, from: done, to: until)
        done = max(done, until)
        take(event)
      }
    }
    unsafe play(outputs.0, outputs.1, from: done, to: length)
  }

  @_noLocks @_noAllocation
  private mutating func takeParameters(_ io: borrowing NodeIO) {
    let gainDB = io.parameter(0)
    if gainDB != self.gainDB {
      self.gainDB = gainDB
      let gain = realtime_exp(gainDB * 0.115_129_254_649_702_28)
      gainLinear.head(for: Float(gain), frames: Int(0.02 * sampleRateHz))
    }
    // They are slopes of a level: a change of them makes no step.
    attackPerFrame = Float(1_000 / (io.parameter(1) * sampleRateHz))
    releaseFactor = Float(realtime_exp(-1_000 / (io.parameter(2) * sampleRateHz)))
  }

  @_noLocks @_noAllocation
  private mutating func take(_ event: MIDIEvent) {
    switch NoteMessage(event) {
    case .on(let note, let velocity):
      begin(note, velocity: velocity)
    case .off(let note):
      for index in voices.indices where voices[index].note == note { voices[index].isHeld = false }
    case .allOff:
      for index in voices.indices { voices[index].isHeld = false }
    case nil:
      break
    }
  }

  /// Begins a note on a silent voice, or on the oldest one.
  ///
  /// The oldest continues from its phase and level, because a jump would click. [audio-thread]
  @_noLocks @_noAllocation
  private mutating func begin(_ note: UInt8, velocity: UInt8) {
    var chosen = 0
    for index in voices.indices {
      let (candidate, best) = (voices[index], voices[chosen])
      if candidate.level == 0 && best.level > 0
        || (candidate.level == 0) == (best.level == 0) && candidate.age < best.age
      {
        chosen = index
      }
    }
    count += 1
    voices[chosen].note = note
    voices[chosen].isHeld = true
    if voices[chosen].level == 0 { voices[chosen].phase = 0 }
    voices[chosen].step = unsafe steps[Int(note)]
    voices[chosen].peak = Float(velocity) / 127
    voices[chosen].age = count
  }

  @_noLocks @_noAllocation
  private mutating func play(
    _ left: UnsafeMutableBufferPointer<Float>,
    _ right: UnsafeMutableBufferPointer<Float>,
    from start: Int,
    to end: Int,
  ) {
    var start = start
    while start < end {
      let until = min(end, start + gains.count)
      for index in 0..<(until - start) { gains[index] = gainLinear.next() }
      unsafe playPart(left, right, from: start, to: until)
      start = until
    }
  }

  /// Plays at most as many frames as there are gains.
  @_noLocks @_noAllocation
  private mutating func playPart(
    _ left: UnsafeMutableBufferPointer<Float>,
    _ right: UnsafeMutableBufferPointer<Float>,
    from start: Int,
    to end: Int,
  ) {
    for frame in start..<end { unsafe left[frame] = 0 }
    for index in voices.indices {
      var voice = voices[index]
      guard voice.level > 0 || voice.isHeld else { continue }
      for frame in start..<end {
        if voice.isHeld {
          voice.level =
            voice.level < voice.peak
            ? min(voice.level + attackPerFrame, voice.peak)
            : max(voice.level - attackPerFrame, voice.peak)
        } else {
          voice.level = voice.level < 1e-4 ? 0 : voice.level * releaseFactor
        }
        let sample = unsafe table[Int(voice.phase) & (Self.tableLength - 1)]
        unsafe left[frame] += sample * voice.level * gains[frame - start]
        voice.phase += voice.step
        if voice.phase >= Float(Self.tableLength) { voice.phase -= Float(Self.tableLength) }
      }
      voices[index] = voice
    }
    for frame in start..<end { unsafe right[frame] = left[frame] }
  }

  /// The parameters, in the order in which the callback reads them.
  private static func parameters(gainDB: Double) -> [NodeParameter] {
    [
      NodeParameter(
        "gain",
        range: gainRangeDB,
        unit: "dB",
        description: "the largest level of one voice",
        value: gainDB,
      ),
      NodeParameter(
        "attack",
        range: 1...2_000,
        unit: "ms",
        taper: .logarithmic,
        description: "the time in which a note becomes loud",
        value: 4,
      ),
      NodeParameter(
        "release",
        range: 5...5_000,
        unit: "ms",
        taper: .logarithmic,
        description: "the time in which a released note falls by 8.7 dB",
        value: 80,
      ),
    ]
  }

  /// Publishes an instrument.
  ///
  /// - Parameters:
  ///   - description: The description to publish.
  ///   - gainDB: The largest level of one voice, in dBFS, −90 … 0.
  ///   - client: The preferred name of its client.
  ///   - server: The server's name; nil takes the default one.
  /// - Returns: The node.
  /// - Throws: `JACKError`, or ``InterAppAudioError`` `invalidProperty`.
  ///
  /// [control-thread]
  public static func publish(
    _ description: NodeDescription = ShippedNode.synth.description,
    gainDB: Double = -14,
    client: String? = nil,
    server: String? = nil,
  ) throws -> PublishedNode<PolySynth> {
    try InterAppAudioError.check("gain", gainDB, in: gainRangeDB, " dBFS")
    var description = description
    description.parameters = parameters(gainDB: gainDB)
    return try unsafe PublishedNode(
      description,
      client: client,
      server: server,
      process: synthProcess,
    ) { rate, _ in PolySynth(gainDB: gainDB, sampleRateHz: rate) }
  }
}

/// The callback of the instrument. [audio-thread]
@c(multiroute_node_synth) @_noLocks @_noAllocation
func synthProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<PolySynth>.self) { node, scope in
    unsafe node.pointee.state.render(node.pointee.io, scope)
  }
}
