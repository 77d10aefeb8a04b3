// SPDX-License-Identifier: MIT

internal import Synchronization

/// A node that a host has connected: the counterpart of an instantiated component.
public final class NodeInstance: Sendable {
  /// The node as it was when it was connected.
  public let node: Node

  private let isGone = Atomic<Bool>(false)
  private let midi: MIDIOutput?

  init(node: Node, midi: MIDIOutput?) {
    self.node = node
    self.midi = midi
  }

  /// Whether the node is gone: nothing can be done with the instance any more.
  public var isInvalidated: Bool { isGone.load(ordering: .acquiring) }

  func invalidate() { isGone.store(true, ordering: .releasing) }

  /// Gives MIDI to an instrument or music effect, to sound at a frame.
  ///
  /// - Parameter event: The message; its frame must not be before that of the one given before. One
  ///   that is late is played at once.
  /// - Throws: ``InterAppAudioError`` `unsupportedType` (it takes no MIDI), `instanceInvalidated`,
  ///   `invalidProperty` (no message of one to three bytes) or `instanceTimedOut` (8192 wait already).
  ///
  /// [any-thread]
  public func send(_ event: ScheduledMIDI) throws(InterAppAudioError) {
    guard !isInvalidated else {
      throw InterAppAudioError(.instanceInvalidated, "node '\(node.name)' is gone")
    }
    guard let midi else {
      throw InterAppAudioError(
        .unsupportedType,
        "node '\(node.name)' takes no MIDI; instruments and music effects do",
      )
    }
    try midi.send(event)
  }
}
