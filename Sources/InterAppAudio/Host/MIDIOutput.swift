// SPDX-License-Identifier: MIT

internal import Realtime
internal import Synchronization

/// A MIDI output of a host: what is given to it leaves at the frame it was given for.
///
/// The sending side is locked, the other is the audio thread's.
public final class MIDIOutput: @unchecked Sendable {
  static let capacity = 8192

  /// The full name of its port.
  public let portName: String

  private let queue = SPSCQueue<ScheduledMIDI>(minimumCapacity: capacity)
  private let turn = Mutex(())

  init(portName: String) { self.portName = portName }

  var consumer: SPSCQueue<ScheduledMIDI>.Consumer { queue.consumer }

  /// Gives a message, to leave at its frame.
  ///
  /// - Parameter event: The message; its frame must not be before that of the one given before. One
  ///   that is late leaves at once.
  /// - Throws: ``InterAppAudioError`` `invalidProperty` for what is no message of one to three bytes, or
  ///   `instanceTimedOut` where 8192 messages wait already.
  ///
  /// [any-thread]
  public func send(_ event: ScheduledMIDI) throws(InterAppAudioError) {
    guard event.byteCount > 0 else {
      throw InterAppAudioError(
        .invalidProperty,
        "MIDI status \(event.status): allowed are 128 to 255 but 240, 244, 245, 247, 249 and 253",
      )
    }
    guard turn.withLock({ _ in queue.producer.push(event) }) else {
      throw InterAppAudioError(
        .instanceTimedOut,
        "\(Self.capacity) MIDI messages wait at '\(portName)' already",
      )
    }
  }
}
