// SPDX-License-Identifier: MIT

import JACK
import Synchronization

/// Stands for the loudspeakers: a JACK client of its own with physical inputs, heard on demand.
final class Speaker {
  /// What was heard.
  struct Recording: Sendable {
    /// Frame time of the first sample.
    var firstFrame: UInt32
    /// The samples of each port, all of one length.
    var channels: [[Float]]

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
  func begin(frames: Int) { unsafe client.state.pointee.begin(frames: frames) }

  /// Waits for the end of the recording.
  ///
  /// - Returns: What was heard; nil where cycles were lost meanwhile, so that it is worth nothing.
  /// - Throws: ``LabError`` `jack` where the server stands still, or `cancelled`.
  func finish() async throws(LabError) -> Recording? {
    var patience = Self.patience
    while unsafe !client.state.pointee.isFinished {
      try await LabError.sleep(Self.poll)
      patience -= 1
      guard patience > 0 else { throw LabError(.jack, "the server runs no cycles") }
    }
    return unsafe client.state.pointee.recording()
  }

  /// Records for a while.
  ///
  /// - Throws: As ``finish()``.
  func record(frames: Int) async throws(LabError) -> Recording? {
    begin(frames: frames)
    return try await finish()
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
  private var hasGap = false

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
    hasGap = false
    isDone.store(false, ordering: .relaxed)
    wanted.store(min(frames, capacityFrames), ordering: .releasing)
  }

  /// Whether nothing is being recorded. [any-thread]
  var isFinished: Bool { isDone.load(ordering: .acquiring) }

  /// What was heard; nil where cycles were lost. To be read when finished. [control-thread]
  func recording() -> Speaker.Recording? {
    guard !hasGap else { return nil }
    let channels = (0..<portCount).map { channel in
      unsafe Array(samples[channel * capacityFrames..<channel * capacityFrames + written])
    }
    return Speaker.Recording(firstFrame: firstFrame, channels: channels)
  }

  /// Records one cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let wanted = wanted.load(ordering: .acquiring)
    guard wanted > 0 else { return }
    let frame = scope.frameTime
    if written == 0 {
      firstFrame = frame
    } else if frame != firstFrame &+ UInt32(truncatingIfNeeded: written) {
      hasGap = true
    }
    let count = min(Int(scope.frames), wanted - written)
    for channel in 0..<portCount {
      guard let port = inputs[channel] else { continue }
      let heard = unsafe scope.samples(of: port)
      let start = channel &* capacityFrames &+ written
      for index in 0..<min(count, heard.count) {
        unsafe samples[start &+ index] = heard[index]
      }
    }
    written += count
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
