// SPDX-License-Identifier: MIT

/// A controller of the graph that is plugged in, from its plugging in to its unplugging.
///
/// [any-thread]
public protocol ControllerPort: Sendable {
  /// The controller's name in the graph, a key of `controls.midi`.
  var name: String { get }

  /// The device's name on JACK, without numbers and directions.
  var device: String { get }

  /// The messages of the controller, in order, for one reader; ends when it is unplugged.
  ///
  /// A new ``ControllerPort`` comes when it is back. Messages that are not read in time are dropped, the oldest first.
  var messages: AsyncStream<MIDIMessage> { get }

  /// Sends a message to the controller, after all that was sent before and no faster than the port's rate.
  ///
  /// Does nothing for an unplugged controller, and for one that only sends.
  ///
  /// - Parameter bytes: One whole message with its status byte; up to ``MIDIMessage/byteLimit`` bytes.
  func send(_ bytes: [UInt8])

  /// Lets a control of this controller move the crossfader on the audio thread; the control before it is disarmed.
  ///
  /// - Parameter control: The control; nil for none. The choice ends with the plug: arm a new port again.
  func arm(directControl control: DirectControl?)
}

/// A control that moves the crossfader on the audio thread, from the frame of each message on.
///
/// Pure value: [any-thread].
public struct DirectControl: Equatable, Sendable {
  /// The kind of message that moves the crossfader.
  public enum Kind: Equatable, Sendable {
    /// A control change, by its number 0…127.
    case controlChange(UInt8)
    /// A pair of control changes, by the number 0…31 of the upper 7 bits; the lower ones come with the number + 32.
    case controlChangePair(UInt8)
    /// Pitch bend.
    case pitchBend
  }

  /// The kind of message.
  public let kind: Kind
  /// The channel, 0…15.
  public let channel: UInt8
  /// The position at the control's lowest value, -1…1.
  public let lowest: Double
  /// The position at the control's highest value, -1…1; below ``lowest`` for a reversed control.
  public let highest: Double
  /// Whether the lower bits of a pair come first; nil while that is not known.
  public var isLowerFirst: Bool?

  /// Makes a control.
  ///
  /// - Parameters:
  ///   - kind: The kind of message.
  ///   - channel: The channel; its lower 4 bits count.
  ///   - lowest: The position at the lowest value; clamped to -1…1.
  ///   - highest: The position at the highest value; clamped to -1…1.
  public init(kind: Kind, channel: UInt8, lowest: Double = -1, highest: Double = 1) {
    self.kind = kind
    self.channel = channel & 0xF
    self.lowest = min(max(lowest, -1), 1)
    self.highest = min(max(highest, -1), 1)
  }
}
