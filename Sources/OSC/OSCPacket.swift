// SPDX-License-Identifier: MIT

/// A failure of an OSC port, or of a message on its way.
///
/// Pure value: [any-thread].
package struct OSCError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence.
  package let description: String

  /// Makes an error from its sentence.
  package init(_ description: String) { self.description = description }
}

/// An OSC message: an address, or a pattern of addresses, and values.
///
/// Pure value: [any-thread].
package struct OSCMessage: Hashable, Sendable {
  /// The address, such as `/strip/deck-a/gain`.
  package var path: String
  /// The values.
  package var values: [OSCValue]

  /// Makes a message.
  package init(_ path: String, _ values: [OSCValue] = []) {
    self.path = path
    self.values = values
  }
}

/// An OSC bundle: messages that act together at a time.
///
/// Pure value: [any-thread].
package struct OSCBundle: Hashable, Sendable {
  /// The time at which they act.
  package var time: OSCTime
  /// The messages, and bundles within this one.
  package var elements: [OSCPacket]

  /// Makes a bundle.
  package init(at time: OSCTime = .immediately, _ elements: [OSCPacket]) {
    self.time = time
    self.elements = elements
  }
}

/// The content of one OSC packet: a message or a bundle.
///
/// Pure value: [any-thread].
package enum OSCPacket: Hashable, Sendable {
  /// A message.
  case message(OSCMessage)
  /// A bundle.
  case bundle(OSCBundle)

  /// All messages of the packet in their order, however deep they are nested.
  package var messages: [OSCMessage] {
    switch self {
    case .message(let message): [message]
    case .bundle(let bundle): bundle.elements.flatMap(\.messages)
    }
  }
}

/// The greatest sizes and counts of packets that are read; longer ones are refused as a whole.
///
/// Pure values: [any-thread].
package enum OSCLimits {
  /// The bytes of a packet.
  package static let packetBytes = 65_535
  /// The values of a message.
  package static let values = 1_024
  /// The messages and bundles of a packet.
  package static let elements = 1_024
  /// The bundles around a message.
  package static let depth = 8
}
