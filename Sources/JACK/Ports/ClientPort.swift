// SPDX-License-Identifier: MIT

/// Kind of data of a port.
public protocol PortKind: Sendable {
  /// The name JACK knows the kind by.
  static var typeName: String { get }
}

/// 32-bit float samples, one channel.
public enum AudioKind: PortKind {
  /// The name JACK knows the kind by.
  public static var typeName: String { "32 bit float mono audio" }
}

/// MIDI events, as raw bytes with a frame offset.
public enum MIDIKind: PortKind {
  /// The name JACK knows the kind by.
  public static var typeName: String { "8 bit raw midi" }
}

/// The direction of a port, seen from its client.
public protocol PortDirection: Sendable {
  /// The flag JACK knows the direction by.
  static var flags: PortFlags { get }
}

/// Towards the client.
public enum InputDirection: PortDirection {
  /// The flag JACK knows the direction by.
  public static var flags: PortFlags { .input }
}

/// Away from the client.
public enum OutputDirection: PortDirection {
  /// The flag JACK knows the direction by.
  public static var flags: PortFlags { .output }
}

/// A port of a client of this process, typed by its contents and direction.
///
/// A trivial value: it can be kept in the state of the audio thread. Its buffer is reached only
/// through a ``ProcessScope``, its name and connections through the ``ClientConnection`` that
/// registered it.
///
/// Pure value: [any-thread].
public struct ClientPort<Kind: PortKind, Direction: PortDirection>:
  BitwiseCopyable, Hashable, Sendable
{
  /// The port without its type.
  public let untyped: AnyClientPort
}

/// A port of a client of this process, of any kind and direction.
///
/// Pure value: [any-thread].
public struct AnyClientPort: BitwiseCopyable, Hashable, Sendable {
  /// The address of JACK's port, or its number, depending on libjack.
  private let bits: UInt

  init(handle: OpaquePointer) {
    self.bits = UInt(bitPattern: handle)
  }

  var handle: OpaquePointer? {
    @_noLocks @_noAllocation get { unsafe OpaquePointer(bitPattern: bits) }
  }
}

/// A port that brings audio to the client.
public typealias AudioInputPort = ClientPort<AudioKind, InputDirection>
/// A port that takes audio from the client.
public typealias AudioOutputPort = ClientPort<AudioKind, OutputDirection>
/// A port that brings MIDI to the client.
public typealias MIDIInputPort = ClientPort<MIDIKind, InputDirection>
/// A port that takes MIDI from the client.
public typealias MIDIOutputPort = ClientPort<MIDIKind, OutputDirection>
