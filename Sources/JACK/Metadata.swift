// SPDX-License-Identifier: MIT

/// What a property of a client or port is about: a URI.
public struct MetadataKey: RawRepresentable, Hashable, Sendable {
  /// The URI.
  public let rawValue: String

  /// Makes a key from its URI.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  private init(jack name: String) {
    self.init(rawValue: "http://jackaudio.org/metadata/" + name)
  }

  /// A name for people.
  public static let prettyName = MetadataKey(jack: "pretty-name")
  /// The place among the client's ports, a number.
  public static let order = MetadataKey(jack: "order")
  /// The kind of signal: AUDIO, CV, OSC, MIDI.
  public static let signalType = MetadataKey(jack: "signal-type")
  /// The group of ports that this one belongs to.
  public static let portGroup = MetadataKey(jack: "port-group")
  /// The name of an icon of the icon theme.
  public static let iconName = MetadataKey(jack: "icon-name")
  /// An icon of 32 × 32 pixels, base64-encoded PNG.
  public static let iconSmall = MetadataKey(jack: "icon-small")
  /// An icon of up to 128 × 128 pixels, base64-encoded PNG.
  public static let iconLarge = MetadataKey(jack: "icon-large")
  /// The kinds of events an event port carries.
  public static let eventTypes = MetadataKey(jack: "event-types")
  /// What hardware the port stands for.
  public static let hardware = MetadataKey(jack: "hardware")
  /// When the client was connected.
  public static let connected = MetadataKey(jack: "connected")
}

/// The value of a property.
public struct MetadataValue: Hashable, Sendable {
  /// The text.
  public let text: String
  /// Its MIME type or URI; nil for plain UTF-8 text.
  public let type: String?

  /// Makes a value.
  public init(_ text: String, type: String? = nil) {
    self.text = text
    self.type = type
  }

  /// A number, typed as the XML schema's integer.
  public static func integer(_ value: Int) -> MetadataValue {
    MetadataValue(String(value), type: "http://www.w3.org/2001/XMLSchema#int")
  }
}

/// What happened to a property.
public enum MetadataChange: Sendable, Hashable {
  /// It is new.
  case created
  /// It has another value.
  case changed
  /// It is gone.
  case deleted
}
