// SPDX-License-Identifier: MIT

internal import JACK
internal import Realtime
internal import Synchronization

/// A MIDI output of a host: each message leaves at its frame.
///
/// Any thread may send, under a lock; the audio thread receives.
public final class MIDIOutput: @unchecked Sendable {
  static let capacity = 8192

  /// The full name of its port.
  public let portName: String

  private let queue = SPSCQueue<ScheduledMIDI>(minimumCapacity: capacity)
  private let turn = Mutex(())

  /// Makes the output of a registered port. [control-thread]
  init(portName: String) { self.portName = portName }

  var consumer: SPSCQueue<ScheduledMIDI>.Consumer { queue.consumer }

  /// Sends a message at its frame.
  ///
  /// - Parameter event: The message; its frame must not be before that of the message sent before. A late message
  ///   leaves at once.
  /// - Throws: ``InterAppAudioError`` `invalidProperty` if it is no message of one to three bytes;
  ///   `instanceTimedOut` if 8192 messages wait already.
  ///
  /// [any-thread]
  public func send(_ event: ScheduledMIDI) throws(InterAppAudioError) {
    guard event.byteCount > 0 else {
      throw InterAppAudioError(
        .invalidProperty,
        "MIDI status \(event.status): allowed are 128 to 255 except 240, 244, 245, 247, 249 and 253",
      )
    }
    guard turn.withLock({ _ in queue.producer.push(event) }) else {
      throw InterAppAudioError(
        .instanceTimedOut,
        "\(Self.capacity) MIDI messages wait at '\(portName)' already; send them closer to their frames",
      )
    }
  }
}

/// A MIDI message for a node, at a frame.
///
/// Pure value: [any-thread].
public struct ScheduledMIDI: BitwiseCopyable, Sendable {
  /// The JACK frame time at which it leaves; wraps at 2³².
  public var frame: UInt32
  /// The status byte.
  public var status: UInt8
  /// The first data byte.
  public var data1: UInt8
  /// The second data byte; ignored for messages of two bytes.
  public var data2: UInt8

  /// Makes a message.
  public init(frame: UInt32, status: UInt8, data1: UInt8, data2: UInt8) {
    self.frame = frame
    self.status = status
    self.data1 = data1
    self.data2 = data2
  }

  /// The number of bytes, 1 … 3; 0 for a value that is no complete message: a data byte, a part of a system exclusive
  /// message, or an undefined status.
  public var byteCount: Int {
    @_noLocks @_noAllocation get {
      switch status {
      case 0..<0x80, 0xf0, 0xf4, 0xf5, 0xf7, 0xf9, 0xfd: 0
      case 0xc0..<0xe0, 0xf1, 0xf3: 2
      case 0xf6, 0xf8...: 1
      default: 3
      }
    }
  }
}

/// The MIDI outputs of a host.
extension InterAppHost {
  /// Makes a MIDI output that can be connected with any client.
  ///
  /// - Parameter name: The short name of its port.
  /// - Returns: The output.
  /// - Throws: ``InterAppAudioError`` `tooManyInstances` (32 is the limit) or `jack`.
  public func midiOutput(named name: String) throws(InterAppAudioError) -> MIDIOutput {
    let output = MIDIOutput(portName: "\(connection.name):\(name)")
    let port: MIDIOutputPort = try InterAppAudioError.wrapping { () throws(JACKError) in
      try connection.register(name)
    }
    guard client.add(output, port: port) else {
      throw InterAppAudioError(
        .tooManyInstances,
        "a host has at most \(HostProcess.slotLimit) MIDI outputs; use one of them again",
      )
    }
    return output
  }

  /// The number of MIDI messages that were sent after their frame.
  public var lateMIDICount: Int { client.lateMIDICount }

  /// Gives the output that is connected with a node's MIDI input; nil for a node without one.
  func midiOutput(for node: Node) throws(InterAppAudioError) -> MIDIOutput? {
    guard let input = node.midiInputs.first else { return nil }
    if midi[node.name] == nil { midi[node.name] = try midiOutput(named: "to_\(node.name)") }
    guard let output = midi[node.name] else { return nil }
    try patch([output.portName], to: [input])
    return output
  }
}
