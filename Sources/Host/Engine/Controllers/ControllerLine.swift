// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Realtime
internal import Surfaces
internal import Synchronization
internal import SystemSupport

/// The line to one controller: its ports at the main client, and the queues between the threads.
///
/// Protects itself: [any-thread], but ``receive()`` on one thread.
@safe
final class ControllerLine: @unchecked Sendable {
  /// The most messages that wait in a direction; a SysEx counts for each 24 bytes.
  private static let capacity = 2_048

  /// The controller's name in the graph.
  let name: String
  /// The full name of the port that hears the controller.
  let inputName: String
  /// The full name of the port that the controller hears.
  let outputName: String
  /// Its ports at the main client.
  let ports: ControllerPorts
  /// The audio thread's side.
  let cells: UnsafeMutablePointer<ControllerCells>

  private let received = SPSCQueue<MIDISlot>(minimumCapacity: capacity)
  private let outgoing = SPSCQueue<MIDISlot>(minimumCapacity: capacity)
  private let sender: Mutex<SPSCQueue<MIDISlot>.Producer>
  private let lastPlug = Atomic<UInt32>(0)

  /// Makes a line with nothing plugged in.
  init(
    name: String,
    client: String,
    ports: ControllerPorts,
    bytesPerSecond: Int,
    sampleRateHz: Double,
  ) {
    self.name = name
    self.ports = ports
    inputName = "\(client):\(PortNames.controllerInput(name))"
    outputName = "\(client):\(PortNames.controllerOutput(name))"
    sender = Mutex(outgoing.producer)
    unsafe cells = .allocate(capacity: 1)
    unsafe cells.initialize(
      to: ControllerCells(
        ports: ports,
        received: received.producer,
        outgoing: outgoing.consumer,
        bytesPerSecond: bytesPerSecond,
        sampleRateHz: sampleRateHz,
      )
    )
  }

  deinit {
    unsafe cells.deinitialize(count: 1)
    unsafe cells.deallocate()
  }

  /// Messages that were dropped in either direction because there was no room.
  var lostCount: Int { unsafe cells.pointee.lostCount.load(ordering: .relaxed) }

  /// Begins a plug: messages for an earlier one are not sent any more.
  ///
  /// - Returns: Its number.
  func plugIn() -> UInt32 {
    unsafe cells.pointee.direct.arm(nil)
    // Beyond 2³² plugs a number comes again, and 0 is none.
    let plug = max(1, lastPlug.wrappingAdd(1, ordering: .relaxed).newValue)
    unsafe cells.pointee.plug.store(plug, ordering: .releasing)
    return plug
  }

  /// Ends the plug that is in.
  func unplug() {
    unsafe cells.pointee.direct.arm(nil)
    unsafe cells.pointee.plug.store(0, ordering: .releasing)
  }

  /// Takes in whether the output is connected: until then, messages wait.
  func setOutputConnected(_ isConnected: Bool) {
    unsafe cells.pointee.isOutputConnected.store(isConnected, ordering: .releasing)
  }

  /// Arms the control that moves the crossfader, unless the plug has ended.
  func arm(_ control: DirectControl?, plug: UInt32) {
    guard isIn(plug) else { return }
    unsafe cells.pointee.direct.arm(control)
    // It may have ended meanwhile.
    if !isIn(plug) { unsafe cells.pointee.direct.arm(nil) }
  }

  /// Sends a message, unless the plug has ended.
  func send(_ bytes: [UInt8], plug: UInt32) {
    guard isIn(plug), !bytes.isEmpty else { return }
    var slot = MIDISlot()
    slot.plug = plug
    let isSent = sender.withLock { producer in
      guard bytes.count <= MIDIMessage.byteLimit else { return false }
      return unsafe bytes.withUnsafeBufferPointer { unsafe producer.push($0, head: slot) }
    }
    if !isSent { unsafe cells.pointee.lostCount.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Takes the oldest message of the controller; nil where none waits.
  func receive() -> MIDIMessage? {
    let consumer = received.consumer
    guard let slot = consumer.peekMessage() else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: slot.byteCount) { buffer, count in
      if let start = buffer.baseAddress { unsafe consumer.take(slot, into: start) }
      count = slot.byteCount
    }
    return MIDIMessage(
      bytes: bytes,
      frame: slot.frame,
      crossfaderPosition: slot.hasPosition ? slot.position : nil,
    )
  }

  private func isIn(_ plug: UInt32) -> Bool {
    unsafe cells.pointee.plug.load(ordering: .acquiring) == plug
  }
}

/// The lines to all controllers of one attachment, and the thread that reports their messages.
///
/// The list of lines belongs to the control thread; all else protects itself: [any-thread].
@safe
final class ControllerLines: @unchecked Sendable {
  /// The lines, also those that are about to leave. [control-thread]
  private(set) var lines: [ControllerLine] = []

  /// Changes with each cycle in which there were messages.
  private let word: UnsafeMutablePointer<Atomic<UInt32>>
  private let isOver = Atomic<Bool>(false)

  /// Begins without lines.
  init() {
    unsafe word = .allocate(capacity: 1)
    unsafe word.initialize(to: Atomic(0))
  }

  deinit {
    unsafe word.deinitialize(count: 1)
    unsafe word.deallocate()
  }

  /// The line to the controller of this name; nil without one. [control-thread]
  func line(to name: String) -> ControllerLine? { lines.first { $0.name == name } }

  /// Adds lines, for the next arrangement. [control-thread]
  func add(_ new: [ControllerLine]) { lines += new }

  /// Removes all lines but those of some names; the audio thread may still use them.
  ///
  /// - Returns: The removed lines. [control-thread]
  func remove(allBut names: Set<String>) -> [ControllerLine] {
    let gone = lines.filter { !names.contains($0.name) }
    lines.removeAll { !names.contains($0.name) }
    return gone
  }

  /// The lines as an arrangement reaches them; `free` releases the memory. [control-thread]
  func makeBank() -> ControllerBank {
    unsafe ControllerBank(
      cells: .allocate(copying: lines.map { unsafe $0.cells }),
      count: lines.count,
      word: word,
    )
  }

  /// Calls `report` after each cycle with messages, on a thread of its own, until ``end()``.
  func listen(_ report: @escaping @Sendable () -> Void) {
    _ = BackgroundThread.start(name: "controllers") {
      ControlThread.raisePriority()
      self.wait(report)
    }
  }

  private func wait(_ report: () -> Void) {
    var seen: UInt32 = 0
    while !isOver.load(ordering: .acquiring) {
      unsafe realtime_wait_word(
        UnsafeRawPointer(word),
        seen,
        HostClock.nowNanoseconds() + 1_000_000_000,
      )
      let present = unsafe word.pointee.load(ordering: .acquiring)
      if present != seen {
        seen = present
        report()
      }
    }
  }

  /// Ends the thread.
  func end() {
    isOver.store(true, ordering: .releasing)
    unsafe word.pointee.wrappingAdd(1, ordering: .releasing)
    unsafe realtime_wake_word(UnsafeRawPointer(word))
  }
}
