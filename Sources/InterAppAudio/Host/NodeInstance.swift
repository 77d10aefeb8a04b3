// SPDX-License-Identifier: MIT

internal import Realtime
internal import Synchronization

/// A node that a host has connected: the counterpart of an instantiated component.
public final class NodeInstance: Sendable {
  /// The node as it was when it was connected.
  public let node: Node

  private let isGone = Atomic<Bool>(false)
  private let queue: MIDIQueue?
  private let turn = Mutex(())

  init(node: Node, queue: MIDIQueue?) {
    self.node = node
    self.queue = queue
  }

  /// Whether the node is gone: nothing can be done with the instance any more.
  public var isInvalidated: Bool { isGone.load(ordering: .acquiring) }

  func invalidate() { isGone.store(true, ordering: .releasing) }

  /// Gives MIDI to an instrument or music effect, to sound at a frame.
  ///
  /// - Parameter event: The message; its frame must not be before that of the one given before. One
  ///   that is late is played at once.
  /// - Throws: ``InterAppAudioError`` `unsupportedType` (it takes no MIDI), `instanceInvalidated`
  ///   or `instanceTimedOut` (8192 messages wait already).
  ///
  /// [any-thread]
  public func send(_ event: ScheduledMIDI) throws(InterAppAudioError) {
    guard !isInvalidated else {
      throw InterAppAudioError(.instanceInvalidated, "node '\(node.name)' is gone")
    }
    guard let queue else {
      throw InterAppAudioError(
        .unsupportedType,
        "node '\(node.name)' takes no MIDI; instruments and music effects do",
      )
    }
    guard turn.withLock({ _ in queue.push(event) }) else {
      throw InterAppAudioError(
        .instanceTimedOut,
        "\(MIDIQueue.capacity) MIDI messages wait for node '\(node.name)' already",
      )
    }
  }
}

/// The queue of MIDI messages to one node.
///
/// The sending side is locked by its instance, the other is the audio thread's.
final class MIDIQueue: @unchecked Sendable {
  static let capacity = 8192
  private let queue = SPSCQueue<ScheduledMIDI>(minimumCapacity: capacity)

  var consumer: SPSCQueue<ScheduledMIDI>.Consumer { queue.consumer }
  func push(_ event: ScheduledMIDI) -> Bool { queue.producer.push(event) }
}
