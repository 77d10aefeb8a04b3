// SPDX-License-Identifier: MIT

import CRealtime
import JACK
import Synchronization

/// The loudspeakers: a separate JACK client with physical inputs, which records on demand.
///
/// Belongs to the control thread.
final class Speaker {
  /// The recording.
  ///
  /// Pure value: [any-thread].
  struct Recording: Sendable {
    /// The server's sample rate in Hz.
    var sampleRateHz: Int
    /// The frame time of the first sample; wraps at 2³².
    var firstFrame: UInt32 = 0
    /// The samples of each port, all of one length; the last one is held where frames were lost.
    var channels: [[Float]]
    /// Frames that the server lost meanwhile.
    var lostFrames: Int
    /// When each cycle began, by its first sample's place in the recording.
    var cycles: [CycleStamp]

    /// Number of cycles that began more than half a period late.
    var lateCycles: Int {
      zip(cycles, cycles.dropFirst()).count { before, after in
        let period = (after.frame - before.frame) * 1_000_000_000 / sampleRateHz
        return Int(after.nanoseconds - before.nanoseconds) > period * 3 / 2
      }
    }

    /// When a sample was due, counted from the wake-up of the cycle that it came in.
    ///
    /// - Returns: CLOCK_MONOTONIC; nil without a recording.
    func nanoseconds(ofIndex index: Int) -> UInt64? {
      guard let cycle = cycles.last(where: { $0.frame <= index }) else { return nil }
      return cycle.nanoseconds + UInt64((index - cycle.frame) * 1_000_000_000 / sampleRateHz)
    }

    /// The sample that was due at a moment; at most the first of the next cycle, even when that came late.
    ///
    /// - Parameter nanoseconds: CLOCK_MONOTONIC.
    /// - Returns: The index in the recording; 0 for earlier times.
    func index(ofNanoseconds nanoseconds: UInt64) -> Int {
      guard let place = cycles.lastIndex(where: { $0.nanoseconds <= nanoseconds }) else { return 0 }
      let frames = Int(nanoseconds - cycles[place].nanoseconds) * sampleRateHz / 1_000_000_000
      let next = place + 1 < cycles.count ? cycles[place + 1].frame : Int.max
      return min(cycles[place].frame + frames, next)
    }
  }

  private let client: LabClient<SpeakerVoice>

  /// The connection to ask the server with.
  var connection: ClientConnection { client.connection }

  /// Opens the client.
  ///
  /// - Parameters:
  ///   - ports: The number of its ports, 1…8: `NAME:in_1`, ….
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
  /// - Returns: The recording.
  /// - Throws: ``LabError`` `jack` where the server stands still, or `cancelled`.
  private func finish() async throws(LabError) -> Recording {
    var patience = Self.patience
    while unsafe !client.state.pointee.isFinished {
      try await LabError.sleep(Self.poll)
      patience -= 1
      guard patience > 0 else { throw LabError(.jack, "the server runs no cycles") }
    }
    let rate = try LabError.wrapping { () throws(JACKError) in try connection.sampleRateHz }
    return unsafe client.state.pointee.recording(sampleRateHz: Int(rate))
  }

  /// Makes a request while recording.
  ///
  /// - Parameters:
  ///   - frames: The length of the recording.
  ///   - request: The request.
  /// - Returns: The recording, and the time of the request.
  /// - Throws: ``LabError`` `jack` or `cancelled`, or the request's own.
  func record(
    frames: Int,
    around request: () async throws(LabError) -> Void,
  ) async throws(LabError) -> (recording: Recording, requestNanoseconds: UInt64) {
    begin(frames: frames)
    // One cycle before the request, and then a random moment within the period.
    try await LabError.sleep(.microseconds(.random(in: 3_000...5_000)))
    // The monotonic clock, because the filter of the server's frame time is wrong by milliseconds for a second
    // after each late cycle.
    let nanoseconds = realtime_now_nanoseconds()
    try await request()
    return (try await finish(), nanoseconds)
  }

  /// Records until a body returns, or for the longest recording.
  ///
  /// - Parameter body: The steps to record.
  /// - Returns: The recording.
  /// - Throws: ``LabError`` `jack` or `cancelled`, or the body's own.
  func recordUntil(_ body: () async throws(LabError) -> Void) async throws(LabError) -> Recording {
    begin(frames: .max)
    do throws(LabError) {
      try await body()
    } catch {
      unsafe client.state.pointee.end()
      throw error
    }
    unsafe client.state.pointee.end()
    return try await finish()
  }

  /// Leaves the graph.
  func close() { client.close() }

  private static let poll = Duration.milliseconds(2)
  /// Twenty seconds.
  private static let patience = 10_000
}

/// The audio thread of the speaker.
@safe
struct SpeakerVoice: ~Copyable {
  private static let maximumPorts = 8
  /// JACK's smallest period.
  private static let minimumPeriodFrames = 16

  private var inputs = InlineArray<8, AudioInputPort?>(repeating: nil)
  private let portCount: Int
  private let capacityFrames: Int
  /// Channel after channel.
  private let samples: UnsafeMutableBufferPointer<Float>
  private let stamps: UnsafeMutableBufferPointer<CycleStamp>
  private var stampCount = 0
  /// The requested number of frames; 0 while idle.
  private let wanted = Atomic<Int>(0)
  private let shouldEnd = Atomic<Bool>(false)
  private let isDone = Atomic<Bool>(true)
  private var written = 0
  private var firstFrame: UInt32 = 0

  /// Makes the value. [control-thread]
  init(_ ports: [AudioInputPort], capacityFrames: Int) {
    portCount = min(ports.count, Self.maximumPorts)
    for index in 0..<portCount { inputs[index] = ports[index] }
    self.capacityFrames = capacityFrames
    unsafe samples = .allocate(capacity: max(1, portCount * capacityFrames))
    unsafe samples.initialize(repeating: 0)
    unsafe stamps = .allocate(capacity: capacityFrames / Self.minimumPeriodFrames + 1)
    unsafe stamps.initialize(repeating: CycleStamp(frame: 0, nanoseconds: 0))
  }

  deinit {
    unsafe samples.deallocate()
    unsafe stamps.deallocate()
  }

  /// Asks for a recording; the one before must be finished. [control-thread]
  mutating func begin(frames: Int) {
    written = 0
    stampCount = 0
    // A sample that keeps this value was lost.
    unsafe samples.update(repeating: .nan)
    isDone.store(false, ordering: .relaxed)
    shouldEnd.store(false, ordering: .relaxed)
    wanted.store(min(frames, capacityFrames), ordering: .releasing)
  }

  /// Ends the recording with the next cycle. [control-thread]
  func end() { shouldEnd.store(true, ordering: .releasing) }

  /// Whether the recording is finished. [any-thread]
  var isFinished: Bool { isDone.load(ordering: .acquiring) }

  /// The recording; read it when it is finished. [control-thread]
  func recording(sampleRateHz: Int) -> Speaker.Recording {
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
    return Speaker.Recording(
      sampleRateHz: sampleRateHz,
      firstFrame: firstFrame,
      channels: channels,
      lostFrames: lostFrames,
      cycles: (0..<stampCount).map { unsafe stamps[$0] },
    )
  }

  /// Records one cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let wanted = wanted.load(ordering: .acquiring)
    guard wanted > 0 else { return }
    guard !shouldEnd.load(ordering: .acquiring) else {
      self.wanted.store(0, ordering: .relaxed)
      isDone.store(true, ordering: .releasing)
      return
    }
    let frame = scope.frameTime
    if written == 0 { firstFrame = frame }
    // Lost cycles leave a hole.
    let position = min(wanted, Int(frame &- firstFrame))
    if unsafe stampCount < stamps.count {
      unsafe stamps[stampCount].frame = position
      unsafe stamps[stampCount].nanoseconds = realtime_now_nanoseconds()
      stampCount &+= 1
    }
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

/// The callback of the speaker. [audio-thread]
@c(latency_lab_speaker) @_noLocks @_noAllocation
func speakerProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: SpeakerVoice.self) { voice, scope in
    unsafe voice.pointee.run(scope)
  }
}
