// SPDX-License-Identifier: MIT

import JACK
import Synchronization

/// Stands for the loudspeakers: a JACK client of its own with physical inputs, heard on demand.
final class Speaker {
  /// What was heard.
  struct Recording: Sendable {
    /// Frame time of the first sample.
    var firstFrame: UInt32
    /// The samples of each port, all of one length; the last one is held where frames were lost.
    var channels: [[Float]]
    /// Frames that the server lost meanwhile.
    var lostFrames: Int

    /// Where in the recording a frame time lies; negative before it.
    func index(ofFrame frame: UInt32) -> Int { Int(Int32(bitPattern: frame &- firstFrame)) }
  }

  private let client: LabClient<SpeakerVoice>

  /// The connection to ask the server with.
  var connection: ClientConnection { client.connection }

  /// Opens the client.
  ///
  /// - Parameters:
  ///   - ports: How many ports it has, 1…8: `NAME:in_1`, ….
  ///   - capacityFrames: The longest recording.
  ///   - name: The client's name.
  ///   - server: The server's name.
  /// - Throws: ``LabError`` `jack`.
  init(ports: Int, capacityFrames: Int, name: String, server: String?) throws(LabError) {
    client = try unsafe LabClient(
      name: name,
      server: server,
      process: speakerProcess,
    ) { connection throws(JACKError) in
      var inputs: [AudioInputPort] = []
      for number in 1...ports {
        inputs.append(try connection.register("in_\(number)", flags: [.physical, .terminal]))
      }
      return SpeakerVoice(inputs, capacityFrames: capacityFrames)
    }
  }

  /// Begins a recording with the next cycle.
  private func begin(frames: Int) { unsafe client.state.pointee.begin(frames: frames) }

  /// Waits for the end of the recording.
  ///
  /// - Returns: What was heard.
  /// - Throws: ``LabError`` `jack` where the server stands still, or `cancelled`.
  private func finish() async throws(LabError) -> Recording {
    var patience = Self.patience
    while unsafe !client.state.pointee.isFinished {
      try await LabError.sleep(Self.poll)
      patience -= 1
      guard patience > 0 else { throw LabError(.jack, "the server runs no cycles") }
    }
    return unsafe client.state.pointee.recording()
  }

  /// Makes a request while recording.
  ///
  /// - Parameters:
  ///   - frames: How long to record.
  ///   - request: What to do.
  /// - Returns: What was heard, and where in it the request was made.
  /// - Throws: ``LabError`` `jack` or `cancelled`, or the request's own.
  func record(
    frames: Int,
    around request: () async throws(LabError) -> Void,
  ) async throws(LabError) -> (recording: Recording, requestIndex: Int) {
    begin(frames: frames)
    // A cycle of what was before, and a moment within the period that is left to chance.
    try await LabError.sleep(.microseconds(.random(in: 3_000...5_000)))
    let frame = try LabError.wrapping { () throws(JACKError) in try connection.frameTime }
    try await request()
    let recording = try await finish()
    return (recording, recording.index(ofFrame: frame))
  }

  /// Leaves the graph.
  func close() { client.close() }

  private static let poll = Duration.milliseconds(2)
  /// Twenty seconds.
  private static let patience = 10_000
}

/// What the audio thread of the speaker works on.
@safe
struct SpeakerVoice: ~Copyable {
  private static let maximumPorts = 8

  private var inputs = InlineArray<8, AudioInputPort?>(repeating: nil)
  private let portCount: Int
  private let capacityFrames: Int
  /// Channel after channel.
  private let samples: UnsafeMutableBufferPointer<Float>
  /// Frames asked for; 0 while there is nothing to do.
  private let wanted = Atomic<Int>(0)
  private let isDone = Atomic<Bool>(true)
  private var written = 0
  private var firstFrame: UInt32 = 0

  init(_ ports: [AudioInputPort], capacityFrames: Int) {
    portCount = min(ports.count, Self.maximumPorts)
    for index in 0..<portCount { inputs[index] = ports[index] }
    self.capacityFrames = capacityFrames
    unsafe samples = .allocate(capacity: max(1, portCount * capacityFrames))
    unsafe samples.initialize(repeating: 0)
  }

  deinit { unsafe samples.deallocate() }

  /// Asks for a recording; the one before must be finished. [control-thread]
  mutating func begin(frames: Int) {
    written = 0
    // What stays like this was lost.
    unsafe samples.update(repeating: .nan)
    isDone.store(false, ordering: .relaxed)
    wanted.store(min(frames, capacityFrames), ordering: .releasing)
  }

  /// Whether nothing is being recorded. [any-thread]
  var isFinished: Bool { isDone.load(ordering: .acquiring) }

  /// What was heard; to be read when finished. [control-thread]
  func recording() -> Speaker.Recording {
    var lostFrames = 0
    let channels = (0..<portCount).map { channel in
      let start = channel * capacityFrames
      var last: Float = 0
      lostFrames = 0
      return (start..<start + written).map { index in
        let sample = unsafe samples[index]
        if sample.isNaN { lostFrames += 1 } else { last = sample }
        return last
      }
    }
    return Speaker.Recording(firstFrame: firstFrame, channels: channels, lostFrames: lostFrames)
  }

  /// Records one cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let wanted = wanted.load(ordering: .acquiring)
    guard wanted > 0 else { return }
    let frame = scope.frameTime
    if written == 0 { firstFrame = frame }
    // Lost cycles leave a hole.
    let position = min(wanted, Int(frame &- firstFrame))
    let count = min(Int(scope.frames), wanted - position)
    for channel in 0..<portCount {
      guard let port = inputs[channel] else { continue }
      let heard = unsafe scope.samples(of: port)
      let start = channel &* capacityFrames &+ position
      for index in 0..<min(count, heard.count) {
        unsafe samples[start &+ index] = heard[index]
      }
    }
    written = position + count
    if written == wanted {
      self.wanted.store(0, ordering: .relaxed)
      isDone.store(true, ordering: .releasing)
    }
  }
}

/// The callback of the speaker.
@c(latency_lab_speaker) @_noLocks @_noAllocation
func speakerProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: SpeakerVoice.self) { voice, scope in
    unsafe voice.pointee.run(scope)
  }
}
