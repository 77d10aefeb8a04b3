// SPDX-License-Identifier: MIT

public import JACK
internal import Synchronization

/// The samples of a ``Recorder``.
public struct Recording: Sendable {
  /// The frame time of the first sample.
  public let firstFrame: UInt32
  /// Whether no cycle was lost and JACK's clock did not jump: only then do all samples stand where they sounded.
  public let isContinuous: Bool
  /// The samples, channel by channel, all of the same length.
  public let channels: [[Float]]
}

/// A JACK client of its own that captures output ports, sample by sample.
@safe
public final class Recorder {
  /// The client's connection.
  public let connection: ClientConnection
  /// The full names of its ports, in the order of the channels.
  public let portNames: [String]

  private var client: ActiveClient?
  private var isHung = false
  private let state: UnsafeMutablePointer<RecorderState>
  private let storage: UnsafeMutablePointer<Float>
  private let tail: UnsafeMutablePointer<Float>
  private let ports: UnsafeMutablePointer<AudioInputPort>
  private let channelCount: Int

  /// Opens the client, connects its ports, and waits for ``start()``.
  ///
  /// - Parameters:
  ///   - sources: The output ports to capture, one channel each; nil for one left unconnected.
  ///   - capacityFrames: How much to capture.
  ///   - server: The server's name.
  ///   - name: The client's name.
  ///   - isHardware: Whether its ports look like a sound card's.
  ///   - latencyFrames: How much later such a card would be heard.
  /// - Throws: ``JACKError``.
  public init(
    from sources: [String?],
    capacityFrames: Int,
    server: String,
    name: String = "recorder",
    isHardware: Bool = false,
    latencyFrames: UInt32 = 0,
  ) throws {
    let opened = try OpenedClient.open(name: name, server: server)
    let connection = opened.connection
    let channelCount = sources.count
    let ports = UnsafeMutablePointer<AudioInputPort>.allocate(capacity: max(channelCount, 1))
    var names: [String] = []
    for index in sources.indices {
      let port: AudioInputPort = try connection.register(
        "in_\(index + 1)",
        flags: isHardware ? [.physical, .terminal] : .terminal,
      )
      unsafe (ports + index).initialize(to: port)
      names.append("\(connection.name):in_\(index + 1)")
    }
    let sampleCount = max(channelCount * capacityFrames, 1)
    let storage = UnsafeMutablePointer<Float>.allocate(capacity: sampleCount)
    unsafe storage.initialize(repeating: .nan, count: sampleCount)
    let tailCount = max(channelCount * RecorderState.tailFrames, 1)
    let tail = UnsafeMutablePointer<Float>.allocate(capacity: tailCount)
    unsafe tail.initialize(repeating: .nan, count: tailCount)
    let state = UnsafeMutablePointer<RecorderState>.allocate(capacity: 1)
    unsafe state.initialize(
      to: RecorderState(
        ports: ports,
        storage: storage,
        tail: tail,
        channelCount: channelCount,
        capacityFrames: capacityFrames,
      )
    )
    self.connection = connection
    self.portNames = names
    self.channelCount = channelCount
    unsafe self.ports = unsafe ports
    unsafe self.storage = unsafe storage
    unsafe self.tail = unsafe tail
    unsafe self.state = unsafe state
    self.client = unsafe try opened.activate(process: recorderProcess, context: state)
    if latencyFrames > 0 {
      let range = LatencyRange(minFrames: latencyFrames, maxFrames: latencyFrames)
      try connection.setLatencyPaths(
        [],
        own: sources.indices.map { unsafe OwnLatency(sink: ports[$0], range: range) },
      )
    }
    for (source, name) in zip(sources, names) {
      if let source { try connection.connect(source, to: name) }
    }
  }

  deinit {
    close()
    // A client that hangs in closing may still use the memory: it is left to it then.
    guard !isHung else { return }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    unsafe storage.deallocate()
    unsafe tail.deallocate()
    unsafe ports.deallocate()
  }

  /// Starts capturing with the next cycle, from the beginning.
  public func start() {
    unsafe state.pointee.written.store(0, ordering: .releasing)
    unsafe state.pointee.isArmed.store(true, ordering: .releasing)
  }

  /// How many frames have been captured.
  public var capturedFrames: Int { unsafe state.pointee.written.load(ordering: .acquiring) }

  /// How many frames have been heard since the client was opened, captured or not.
  public var heardFrames: Int { unsafe state.pointee.heard.load(ordering: .acquiring) }

  /// Waits until all is captured.
  ///
  /// - Parameter limit: How long to wait.
  /// - Returns: The samples.
  /// - Throws: ``TestFailure`` when the time is over.
  public func finish(within limit: Duration = .seconds(60)) async throws -> Recording {
    let capacity = unsafe state.pointee.capacityFrames
    try await waitUntil("\(connection.name) has captured \(capacity) frames", within: limit) {
      capturedFrames == capacity
    }
    return captured
  }

  /// The samples so far.
  public var captured: Recording {
    let count = capturedFrames
    let capacity = unsafe state.pointee.capacityFrames
    return unsafe Recording(
      firstFrame: state.pointee.origin.frame ?? 0,
      isContinuous: state.pointee.origin.isContinuous,
      channels: (0..<channelCount).map { channel in
        unsafe Array(UnsafeBufferPointer(start: storage + channel * capacity, count: count))
      },
    )
  }

  /// The latest samples, channel by channel, also when the capacity is used up; empty before enough were heard.
  ///
  /// - Parameter frames: How much, at most half a second at 48 kHz.
  /// - Returns: The samples.
  public func latest(_ frames: Int) -> [[Float]] {
    let size = RecorderState.tailFrames
    precondition(frames <= size / 2)
    while true {
      let end = heardFrames
      guard end >= frames else { return (0..<channelCount).map { _ in [] } }
      let channels = (0..<channelCount).map { channel in
        (end - frames..<end).map { unsafe tail[channel * size + $0 % size] }
      }
      // Unless the process callback has come round meanwhile.
      if heardFrames - end < size / 2 { return channels }
    }
  }

  /// Closes the client.
  public func close() {
    if client.take()?.close() == .timedOut { isHung = true }
  }
}

@safe
struct RecorderState: ~Copyable {
  /// The number of latest frames that are kept beside the recording.
  static var tailFrames: Int { 65_536 }

  let ports: UnsafeMutablePointer<AudioInputPort>
  let storage: UnsafeMutablePointer<Float>
  let tail: UnsafeMutablePointer<Float>
  let channelCount: Int
  let capacityFrames: Int
  var origin = FrameOrigin()
  let isArmed = Atomic<Bool>(false)
  let written = Atomic<Int>(0)
  /// How many frames were heard since the client is active.
  let heard = Atomic<Int>(0)
}

@c(multiroute_test_recorder) @_noLocks @_noAllocation
func recorderProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: RecorderState.self) { state, scope in
    let heard = unsafe state.pointee.heard.load(ordering: .relaxed)
    for channel in unsafe 0..<state.pointee.channelCount {
      let source = unsafe scope.samples(of: state.pointee.ports[channel])
      let tail = unsafe state.pointee.tail + channel * RecorderState.tailFrames
      for index in 0..<source.count {
        unsafe tail[(heard + index) % RecorderState.tailFrames] = source[index]
      }
    }
    unsafe state.pointee.heard.store(heard + Int(scope.frames), ordering: .releasing)
    guard unsafe state.pointee.isArmed.load(ordering: .acquiring) else { return }
    let start = unsafe state.pointee.written.load(ordering: .relaxed)
    if start == 0 { unsafe state.pointee.origin = FrameOrigin() }
    unsafe state.pointee.origin.advance(frameTime: scope.frameTime, frames: scope.frames)
    let capacity = unsafe state.pointee.capacityFrames
    let count = min(Int(scope.frames), capacity - start)
    for channel in unsafe 0..<state.pointee.channelCount {
      let source = unsafe scope.samples(of: state.pointee.ports[channel])
      let target = unsafe state.pointee.storage + (channel * capacity + start)
      for index in 0..<min(count, source.count) {
        unsafe target[index] = source[index]
      }
    }
    unsafe state.pointee.written.store(start + count, ordering: .releasing)
    if start + count == capacity { unsafe state.pointee.isArmed.store(false, ordering: .releasing) }
  }
}
