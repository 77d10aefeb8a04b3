// SPDX-License-Identifier: MIT

internal import CJACK
internal import Glibc

/// Key of a property of a client or port: a URI.
///
/// Pure value: [any-thread].
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
  /// Hardware that the port stands for.
  public static let hardware = MetadataKey(jack: "hardware")
  /// When the client was connected.
  public static let connected = MetadataKey(jack: "connected")
}

/// The value of a property.
///
/// Pure value: [any-thread].
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

/// Change of a property.
///
/// Pure value: [any-thread].
public enum MetadataChange: Sendable, Hashable {
  /// It is new.
  case created
  /// It has another value.
  case changed
  /// It is gone.
  case deleted
}

/// The Berkeley DB in which libjack keeps the metadata of all servers of a user.
///
/// Safe from any thread: [any-thread].
enum MetadataStore {
  private static let folder = "/dev/shm/jack_db-\(getuid())"
  /// The file of Berkeley DB's settings.
  static let settingsFile = "\(folder)/DB_CONFIG"

  /// Settings for Berkeley DB that differ from libjack's, one a line.
  private static let settings = [
    // A killed client leaves its mutexes behind, and after some 146 of them no property can be set any more.
    // Applies to the process that opens the store first.
    "mutex_set_max 100000",
    // Two writers, or a writer and a reader, can wait for each other for ever, and then each program that opens a
    // client waits behind them. With this setting a waiting process detects the deadlock and one writer fails, which
    // can try again. Applies to all processes once one of them has opened the store with it.
    "set_lk_detect DB_LOCK_MAXWRITE",
  ]

  /// Writes the settings to Berkeley DB's file; to be called before libjack opens the store.
  static func prepare() {
    guard !JACKLibrary.isPipeWire else { return }
    // It may exist already; libjack reports a folder that cannot be used.
    _ = unsafe mkdir(folder, S_IRWXU)
    let file = unsafe open(
      settingsFile,
      O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC,
      S_IRUSR | S_IWUSR,
    )
    guard file >= 0 else { return }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let length = unsafe read(file, &bytes, bytes.count)
    let present = String(decoding: bytes.prefix(max(0, length)), as: UTF8.self)
      .split(separator: "\n")
    let missing = settings.filter { line in !present.contains { $0 == line } }
    guard !missing.isEmpty else { return }
    let text = missing.joined(separator: "\n") + "\n"
    _ = unsafe write(file, text, text.utf8.count)
  }

  /// Runs a call that writes into the store, and runs it again where it failed because of a deadlock.
  ///
  /// libjack does not report the reason, so a call that fails for another one is run again, too. Between two attempts
  /// passes a random time with a growing limit, because writers that try again at once meet each other again. A call
  /// that never works returns after 60 ms on average, 120 ms at most.
  ///
  /// - Parameter body: A call of libjack; returns whether it has worked. It holds no lock during the pauses.
  /// - Returns: Whether it has worked.
  /// - Throws: The error of `body`, at once.
  static func change<Failure: Error>(
    _ body: () throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    if try use(body) { return true }
    for limit in pauseLimits {
      usleep(.random(in: 0...limit))
      if try use(body) { return true }
    }
    return false
  }

  /// Runs a call that opens or uses the store, with this process's mark (``MetadataMark``).
  static func use<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let mark = MetadataMark(file: settingsFile)
    defer { mark.remove() }
    return try body()
  }

  /// The longest pauses before the second and later attempts, in microseconds.
  private static let pauseLimits: [UInt32] = [
    250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000, 16_000, 16_000, 16_000,
  ]
}

extension MetadataChange {
  init(_ change: jack_property_change_t) {
    switch change {
    case PropertyCreated: self = .created
    case PropertyDeleted: self = .deleted
    default: self = .changed
    }
  }
}
