// SPDX-License-Identifier: MIT

public import JACK
internal import Synchronization

/// A JACK client of its own that plays given samples, sample by sample.
@safe
public final class Player {
  /// The client's connection.
  public let connection: ClientConnection
  /// The full names of its ports, in the order of the channels.
  public let portNames: [String]

  private var client: ActiveClient?
  private var isHung = false
  private let state: UnsafeMutablePointer<PlayerState>
  private let storage: UnsafeMutablePointer<Float>
  private let ports: UnsafeMutablePointer<AudioOutputPort>

  /// Opens the client, connects its ports, and waits for ``start()``, silent.
  ///
  /// - Parameters:
  ///   - channels: The samples to play, all of the same length.
  ///   - loops: Whether to begin again at the end, instead of falling silent.
  ///   - flags: Further flags of its ports: with `physical` they look like hardware that captures.
  ///   - targets: The input ports to play to; nil, or too few, leave channels unconnected.
  ///   - server: The server's name.
  ///   - name: The client's name.
  /// - Throws: ``JACKError``.
  public init(
    _ channels: [[Float]],
    loops: Bool = false,
    flags: PortFlags = .terminal,
    to targets: [String?] = [],
    server: String,
    name: String = "player",
  ) throws {
    let length = channels.map(\.count).min() ?? 0
    let opened = try OpenedClient.open(name: name, server: server)
    let connection = opened.connection
    let ports = UnsafeMutablePointer<AudioOutputPort>.allocate(capacity: max(channels.count, 1))
    let storage = UnsafeMutablePointer<Float>.allocate(capacity: max(channels.count * length, 1))
    var names: [String] = []
    for (index, samples) in channels.enumerated() {
      let port: AudioOutputPort = try connection.register("out_\(index + 1)", flags: flags)
      unsafe (ports + index).initialize(to: port)
      names.append("\(connection.name):out_\(index + 1)")
      for (offset, sample) in samples.prefix(length).enumerated() {
        unsafe (storage + index * length + offset).initialize(to: sample)
      }
    }
    let state = UnsafeMutablePointer<PlayerState>.allocate(capacity: 1)
    unsafe state.initialize(
      to: PlayerState(
        ports: ports,
        storage: storage,
        channelCount: channels.count,
        length: length,
        loops: loops,
      )
    )
    self.connection = connection
    self.portNames = names
    unsafe self.ports = unsafe ports
    unsafe self.storage = unsafe storage
    unsafe self.state = unsafe state
    self.client = unsafe try opened.activate(process: playerProcess, context: state)
    for (name, target) in zip(names, targets) {
      if let target { try connection.connect(name, to: target) }
    }
  }

  deinit {
    close()
    // A client that hangs in closing may still use the memory: it is left to it then.
    guard !isHung else { return }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    unsafe storage.deallocate()
    unsafe ports.deallocate()
  }

  /// Starts playing with the next cycle.
  public func start() {
    unsafe state.pointee.isPlaying.store(true, ordering: .releasing)
  }

  /// Whether all has been played; never while it loops.
  public var hasFinished: Bool { unsafe state.pointee.hasFinished.load(ordering: .acquiring) }

  /// The frame time of the first sample; nil before it.
  public var firstFrame: UInt32? {
    let frame = unsafe state.pointee.firstFrame.load(ordering: .acquiring)
    return frame < 0 ? nil : UInt32(truncatingIfNeeded: frame)
  }

  /// Closes the client.
  public func close() {
    if client.take()?.close() == .timedOut { isHung = true }
  }
}

@safe
struct PlayerState: ~Copyable {
  let ports: UnsafeMutablePointer<AudioOutputPort>
  let storage: UnsafeMutablePointer<Float>
  let channelCount: Int
  let length: Int
  let loops: Bool
  var position = 0
  var origin = FrameOrigin()
  let isPlaying = Atomic<Bool>(false)
  let hasFinished = Atomic<Bool>(false)
  let firstFrame = Atomic<Int64>(-1)
}

@c(multiroute_test_player) @_noLocks @_noAllocation
func playerProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: PlayerState.self) { state, scope in
    let isPlaying = unsafe state.pointee.isPlaying.load(ordering: .acquiring)
    let length = unsafe state.pointee.length
    let loops = unsafe state.pointee.loops
    let start = unsafe state.pointee.position
    if isPlaying {
      unsafe state.pointee.origin.advance(frameTime: scope.frameTime, frames: scope.frames)
      let frame = unsafe state.pointee.origin.frame.map(Int64.init) ?? -1
      unsafe state.pointee.firstFrame.store(frame, ordering: .releasing)
    }
    var end = start
    for channel in unsafe 0..<state.pointee.channelCount {
      let target = unsafe scope.samples(of: state.pointee.ports[channel])
      let source = unsafe state.pointee.storage + channel * length
      var position = start
      for index in 0..<target.count {
        if loops, position == length { position = 0 }
        let hasSample = isPlaying && position < length
        unsafe target[index] = hasSample ? source[position] : 0
        if hasSample { position += 1 }
      }
      end = position
    }
    unsafe state.pointee.position = end
    if !loops, end == length { unsafe state.pointee.hasFinished.store(true, ordering: .releasing) }
  }
}
