// SPDX-License-Identifier: MIT

public import JACK
internal import Synchronization

/// A MIDI message at a frame.
///
/// Pure value: [any-thread].
public struct TimedMIDI: Equatable, Sendable {
  /// The frame.
  public var frame: Int
  /// The message.
  public var bytes: [UInt8]

  /// Makes a message at a frame.
  public init(_ frame: Int, _ bytes: [UInt8]) {
    self.frame = frame
    self.bytes = bytes
  }
}

/// A JACK client that stands for a MIDI controller: it sends a recorded stream at exact frames, and keeps what it is sent.
@safe
public final class MIDIDevice {
  /// The client's connection.
  public let connection: ClientConnection
  /// The stream.
  public let sent: [TimedMIDI]

  private var client: ActiveClient?
  private var isHung = false
  private let state: UnsafeMutablePointer<MIDIDeviceState>

  /// Plugs the controller in.
  ///
  /// - Parameters:
  ///   - stream: The messages, by frames counted from ``start()``, in their order.
  ///   - name: The client's name, which is the device's.
  ///   - ports: The names of the port that sends and of the port that receives; nil leaves one out.
  ///   - isHardware: Whether its ports say that they stand for hardware.
  ///   - server: The server's name.
  /// - Throws: ``JACKError``.
  public init(
    _ stream: [TimedMIDI] = [],
    name: String,
    ports: (sends: String?, receives: String?) = ("MIDI 1 (out)", "MIDI 1 (in)"),
    isHardware: Bool = false,
    server: String,
  ) throws {
    let opened = try OpenedClient.open(name: name, server: server)
    let connection = opened.connection
    let flags: PortFlags = isHardware ? [.physical, .terminal] : []
    let output: MIDIOutputPort? = try ports.sends.map { try connection.register($0, flags: flags) }
    let input: MIDIInputPort? = try ports.receives.map { try connection.register($0, flags: flags) }
    let state = UnsafeMutablePointer<MIDIDeviceState>.allocate(capacity: 1)
    unsafe state.initialize(to: MIDIDeviceState(stream, output: output, input: input))
    self.connection = connection
    sent = stream
    unsafe self.state = unsafe state
    self.client = unsafe try opened.activate(process: midiDeviceProcess, context: state)
  }

  deinit {
    close()
    // A client that hangs in closing may still use the memory: it is left to it then.
    guard !isHung else { return }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Begins to send the stream with the next cycle, and once more when it was sent.
  public func start() { start(upTo: sent.count) }

  /// Begins to send the stream, or goes on with it, and waits before a message; one whose frame has passed is sent at once.
  ///
  /// - Parameter count: The number of messages before that one.
  public func start(upTo count: Int) {
    unsafe state.pointee.allowed.store(count, ordering: .relaxed)
    unsafe state.pointee.hasFinished.store(false, ordering: .relaxed)
    unsafe state.pointee.isSending.store(true, ordering: .releasing)
  }

  /// The frame time from which the stream's frames count; nil before the first cycle.
  public var firstFrame: UInt32? {
    let frame = unsafe state.pointee.firstFrame.load(ordering: .acquiring)
    return frame < 0 ? nil : UInt32(truncatingIfNeeded: frame)
  }

  /// Whether the whole stream was sent.
  public var hasFinished: Bool { unsafe state.pointee.hasFinished.load(ordering: .acquiring) }

  /// Messages that JACK's buffers had no room for.
  public var refusedCount: Int { unsafe state.pointee.refused.load(ordering: .acquiring) }

  /// The messages that came so far, at frame times.
  public var received: [TimedMIDI] {
    let count = unsafe state.pointee.receivedCount.load(ordering: .acquiring)
    return (0..<count).map { index in
      let entry = unsafe state.pointee.received[index]
      let start = unsafe state.pointee.receivedBytes + entry.first
      return unsafe TimedMIDI(
        Int(entry.frame),
        Array(UnsafeBufferPointer(start: start, count: entry.count)),
      )
    }
  }

  /// Unplugs the controller.
  public func close() {
    if client.take()?.close() == .timedOut { isHung = true }
  }
}

@safe
struct MIDIDeviceState: ~Copyable {
  struct Entry: BitwiseCopyable {
    var frame: UInt32 = 0
    var first = 0
    var count = 0
  }

  static var capacity: Int { 65_536 }
  static var byteCapacity: Int { 1 << 20 }

  let output: MIDIOutputPort?
  let input: MIDIInputPort?
  let stream: UnsafeMutablePointer<Entry>
  let streamBytes: UnsafeMutablePointer<UInt8>
  let streamCount: Int
  let received: UnsafeMutablePointer<Entry>
  let receivedBytes: UnsafeMutablePointer<UInt8>
  var position: UInt32 = 0
  var next = 0
  var usedBytes = 0
  let receivedCount = Atomic<Int>(0)
  let isSending = Atomic<Bool>(false)
  let hasFinished = Atomic<Bool>(false)
  /// The number of messages that may be sent.
  let allowed = Atomic<Int>(0)
  let firstFrame = Atomic<Int64>(-1)
  let refused = Atomic<Int>(0)

  init(_ messages: [TimedMIDI], output: MIDIOutputPort?, input: MIDIInputPort?) {
    self.output = output
    self.input = input
    streamCount = messages.count
    unsafe stream = .allocate(capacity: max(1, messages.count))
    unsafe streamBytes = .allocate(capacity: max(1, messages.reduce(0) { $0 + $1.bytes.count }))
    unsafe received = .allocate(capacity: Self.capacity)
    unsafe receivedBytes = .allocate(capacity: Self.byteCapacity)
    var used = 0
    for (index, message) in messages.enumerated() {
      let entry = Entry(frame: UInt32(message.frame), first: used, count: message.bytes.count)
      unsafe (stream + index).initialize(to: entry)
      for byte in message.bytes {
        unsafe (streamBytes + used).initialize(to: byte)
        used += 1
      }
    }
  }

  deinit {
    unsafe stream.deallocate()
    unsafe streamBytes.deallocate()
    unsafe received.deallocate()
    unsafe receivedBytes.deallocate()
  }

  /// Sends the part of the stream that lies in a cycle.
  @_noLocks @_noAllocation
  mutating func send(_ scope: borrowing ProcessScope) {
    guard let output else { return }
    let events = scope.events(of: output)
    guard isSending.load(ordering: .acquiring) else { return }
    if position == 0 { firstFrame.store(Int64(scope.frameTime), ordering: .releasing) }
    let end = min(streamCount, allowed.load(ordering: .relaxed))
    while next < end {
      let entry = unsafe stream[next]
      guard entry.frame < position + scope.frames else { break }
      let bytes = unsafe UnsafeBufferPointer(
        start: UnsafePointer(streamBytes + entry.first),
        count: entry.count,
      )
      if unsafe !events.write(bytes, at: max(entry.frame, position) - position) {
        refused.wrappingAdd(1, ordering: .relaxed)
      }
      next += 1
    }
    position += scope.frames
    guard next == streamCount else { return }
    (position, next) = (0, 0)
    isSending.store(false, ordering: .relaxed)
    hasFinished.store(true, ordering: .releasing)
  }

  /// Keeps what comes in a cycle.
  @_noLocks @_noAllocation
  mutating func receive(_ scope: borrowing ProcessScope) {
    guard let input else { return }
    let events = scope.events(of: input)
    for index in 0..<events.count {
      let event = events[index]
      let count = unsafe event.bytes.count
      let place = receivedCount.load(ordering: .relaxed)
      guard place < Self.capacity, usedBytes + count <= Self.byteCapacity else { return }
      for byte in 0..<count { unsafe receivedBytes[usedBytes + byte] = event.bytes[byte] }
      unsafe received[place] = Entry(
        frame: scope.frameTime &+ event.frameOffset,
        first: usedBytes,
        count: count,
      )
      usedBytes += count
      receivedCount.store(place + 1, ordering: .releasing)
    }
  }
}

@c(multiroute_test_midi_device) @_noLocks @_noAllocation
func midiDeviceProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: MIDIDeviceState.self) { state, scope in
    unsafe state.pointee.send(scope)
    unsafe state.pointee.receive(scope)
  }
}
