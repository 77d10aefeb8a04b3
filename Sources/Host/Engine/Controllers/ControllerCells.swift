// SPDX-License-Identifier: MIT

internal import CRealtime
internal import JACK
internal import Mixing
internal import Realtime
internal import Surfaces
internal import Synchronization

/// The audio thread's side of a controller: its two ports, and the queues to and from the control thread.
///
/// Memory behind one pointer, made and freed by ``ControllerLine``.
@safe
struct ControllerCells: ~Copyable {
  /// The plug that is in, as the control thread sets it; 0 for none.
  let plug = Atomic<UInt32>(0)
  /// Whether the control thread has connected the output.
  let isOutputConnected = Atomic<Bool>(false)
  /// Messages that were dropped because a queue or a port had no room.
  let lostCount = Atomic<Int>(0)
  /// The control that moves the crossfader.
  var direct = DirectControlCell()

  private let input: MIDIInputPort
  private let output: MIDIOutputPort
  /// The output's connections; nil where they cannot be counted.
  private let outputConnections: WatchedPort?
  private let received: SPSCQueue<MIDISlot>.Producer
  private let outgoing: SPSCQueue<MIDISlot>.Consumer
  /// Room for one message.
  private let scratch: UnsafeMutablePointer<UInt8>
  private let bytesPerSecond: UInt64
  private let sampleRateHz: UInt64
  /// Bytes that were sent and are still on their way over the controller's cable, times the sample rate.
  private var backlog: UInt64 = 0

  /// Makes the cells; the callback owns them from its activation on. [control-thread]
  init(
    ports: ControllerPorts,
    received: SPSCQueue<MIDISlot>.Producer,
    outgoing: SPSCQueue<MIDISlot>.Consumer,
    bytesPerSecond: Int,
    sampleRateHz: Double,
  ) {
    input = ports.input
    output = ports.output
    outputConnections = ports.outputConnections
    self.received = received
    self.outgoing = outgoing
    self.bytesPerSecond = UInt64(max(1, bytesPerSecond))
    self.sampleRateHz = UInt64(max(1, sampleRateHz))
    unsafe scratch = .allocate(capacity: MIDIMessage.byteLimit)
  }

  deinit { unsafe scratch.deallocate() }

  /// Reads the messages of a cycle, and moves the crossfader at the frames of those that do.
  ///
  /// - Parameters:
  ///   - frame: The frame at which the cycle begins.
  ///   - renderer: The mix, with a cycle begun.
  ///   - scope: The cycle.
  /// - Returns: Whether there were any.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  mutating func read(
    atFrame frame: UInt64,
    _ renderer: MixRenderer,
    _ scope: borrowing ProcessScope,
  ) -> Bool {
    let events = scope.events(of: input)
    var lost = events.lostCount
    for index in 0..<events.count {
      let event = events[index]
      let bytes = unsafe event.bytes
      guard bytes.count > 0, bytes.count <= MIDIMessage.byteLimit else {
        lost += 1
        continue
      }
      var slot = MIDISlot()
      slot.frame = frame &+ UInt64(event.frameOffset)
      if let position = unsafe direct.position(of: bytes) {
        slot.position = position
        slot.hasPosition = true
        renderer.moveCrossfader(to: position, atFrameOffset: event.frameOffset)
      }
      if unsafe !received.push(bytes, head: slot) { lost += 1 }
    }
    if lost > 0 { lostCount.wrappingAdd(lost, ordering: .relaxed) }
    return events.count > 0 || lost > 0
  }

  /// Writes what waits for the controller, no faster than its rate.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  mutating func write(_ scope: borrowing ProcessScope) {
    let events = scope.events(of: output)
    let present = plug.load(ordering: .acquiring)
    var isOpen = isOutputConnected.load(ordering: .acquiring)
    if let port = outputConnections { isOpen = isOpen && scope.connectionCount(of: port) > 0 }
    var hasWritten = false
    while let message = outgoing.peekMessage() {
      let isStale = message.plug != present
      let offset = (backlog + bytesPerSecond - 1) / bytesPerSecond
      if !isStale {
        guard isOpen, offset < UInt64(scope.frames) else { break }
        // The server's buffer may be full; a message that never fits is dropped.
        if events.freeBytes < message.byteCount, hasWritten { break }
      }
      unsafe outgoing.take(message, into: scratch)
      if isStale { continue }
      let bytes = unsafe UnsafeBufferPointer(start: scratch, count: message.byteCount)
      if unsafe events.write(bytes, at: UInt32(truncatingIfNeeded: offset)) {
        hasWritten = true
        backlog += UInt64(message.byteCount) * sampleRateHz
      } else {
        lostCount.wrappingAdd(1, ordering: .relaxed)
      }
    }
    backlog -= min(backlog, UInt64(scope.frames) * bytesPerSecond)
  }
}

/// The ports of a controller at the main client.
///
/// Pure value: [any-thread].
struct ControllerPorts {
  let input: MIDIInputPort
  let output: MIDIOutputPort
  /// The output's connections; nil where they cannot be counted.
  let outputConnections: WatchedPort?
}

/// All controllers of an arrangement, as the callback reaches them.
///
/// Trivial memory that a ``PortArrangement`` owns, but for the word, which ``ControllerLines`` owns.
@safe
struct ControllerBank: BitwiseCopyable {
  let cells: UnsafeMutablePointer<UnsafeMutablePointer<ControllerCells>>
  let count: Int
  /// Changes with each cycle in which there were messages.
  let word: UnsafeMutablePointer<Atomic<UInt32>>

  /// Frees the memory, but neither lines nor word. [control-thread]
  func free() { unsafe cells.deallocate() }

  /// Reads the messages of all controllers, and wakes who waits for them. [audio-thread & active]
  @_noLocks @_noAllocation
  func read(atFrame frame: UInt64, _ renderer: MixRenderer, _ scope: borrowing ProcessScope) {
    var hasMessages = false
    for index in 0..<count {
      if unsafe cells[index].pointee.read(atFrame: frame, renderer, scope) { hasMessages = true }
    }
    guard hasMessages else { return }
    unsafe word.pointee.wrappingAdd(1, ordering: .releasing)
    unsafe realtime_wake_word(UnsafeRawPointer(word))
  }

  /// Writes the messages to all controllers. [audio-thread & active]
  @_noLocks @_noAllocation
  func write(_ scope: borrowing ProcessScope) {
    for index in 0..<count { unsafe cells[index].pointee.write(scope) }
  }
}
