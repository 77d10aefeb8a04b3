// SPDX-License-Identifier: MIT

internal import CSystemSupport

/// A value of a D-Bus message, with its type.
///
/// Pure value: [any-thread].
package indirect enum DBusValue: Sendable, Hashable, Codable {
  case boolean(Bool)
  case byte(UInt8)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  /// Values of one type; `element` is its signature, which an empty array needs.
  case array([DBusValue], element: String)
  case structure([DBusValue])
  case entry(key: DBusValue, value: DBusValue)
  case variant(DBusValue)

  /// An array of strings.
  package static func strings(_ strings: [String]) -> DBusValue {
    .array(strings.map(DBusValue.string), element: "s")
  }

  // MARK: - Reading

  /// The text of a string, an object path or a signature; nil for other types.
  package var text: String? {
    switch self {
    case .string(let text), .objectPath(let text), .signature(let text): text
    default: nil
    }
  }

  /// The number of an integer; nil for other types, and for one that does not fit.
  package var integer: Int? {
    switch self {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The truth of a boolean; nil for other types.
  package var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The elements of an array; nil for other types.
  package var elements: [DBusValue]? {
    if case .array(let values, _) = self { values } else { nil }
  }

  /// The value inside of a variant; nil for other types.
  package var inner: DBusValue? {
    if case .variant(let value) = self { value } else { nil }
  }

  /// The signature of the value's type.
  package var typeSignature: String {
    switch self {
    case .boolean: "b"
    case .byte: "y"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .array(_, let element): "a\(element)"
    case .structure(let values): "(\(values.map(\.typeSignature).joined()))"
    case .entry(let key, let value): "{\(key.typeSignature)\(value.typeSignature)}"
    case .variant: "v"
    }
  }
}

// MARK: - Messages

/// A message of sd-bus, released with the value.
///
/// Belongs to the thread of its connection.
///
/// It is used by one thread at a time: [any-thread].
@safe
struct DBusMessage: ~Copyable {
  private let message: OpaquePointer

  /// Takes over a reference to a message.
  init(_ message: OpaquePointer) { unsafe self.message = message }

  deinit { unsafe sd_bus_message_unref(message) }

  /// Runs `body` with sd-bus's message.
  borrowing func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    unsafe body(message)
  }

  // MARK: - Reading

  /// All values from the present position to the end of its container.
  borrowing func values() throws(DBusError) -> [DBusValue] {
    var values: [DBusValue] = []
    while true {
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      let found = unsafe sd_bus_message_peek_type(message, &type, &contents)
      try DBusError.check(found, "reading a reply")
      guard found > 0 else { return values }
      let inside = unsafe contents.map { unsafe String(cString: $0) } ?? ""
      values.append(try value(type, inside))
    }
  }

  private borrowing func value(_ type: CChar, _ inside: String) throws(DBusError) -> DBusValue {
    switch UnicodeScalar(UInt8(bitPattern: type)) {
    case "b": return .boolean(try basic(type, Int32(0)) != 0)
    case "y": return .byte(try basic(type, 0))
    case "n": return .int16(try basic(type, 0))
    case "q": return .uint16(try basic(type, 0))
    case "i": return .int32(try basic(type, 0))
    case "u": return .uint32(try basic(type, 0))
    case "x": return .int64(try basic(type, 0))
    case "t": return .uint64(try basic(type, 0))
    case "d": return .double(try basic(type, 0))
    case "s": return .string(try text(type))
    case "o": return .objectPath(try text(type))
    case "g": return .signature(try text(type))
    case "a": return .array(try contained(type, inside), element: inside)
    case "r": return .structure(try contained(type, inside))
    case "e":
      let values = try contained(type, inside)
      guard values.count == 2 else { throw DBusError("an entry of \(values.count) values") }
      return .entry(key: values[0], value: values[1])
    case "v":
      guard let value = try contained(type, inside).first else {
        throw DBusError("an empty variant")
      }
      return .variant(value)
    case let other: throw DBusError("a reply has values of type '\(other)', which are not read")
    }
  }

  private borrowing func basic<Value: BitwiseCopyable>(
    _ type: CChar,
    _ initial: Value,
  ) throws(DBusError) -> Value {
    var value = initial
    let result = unsafe sd_bus_message_read_basic(message, type, &value)
    try DBusError.check(result, "reading a reply")
    return value
  }

  private borrowing func text(_ type: CChar) throws(DBusError) -> String {
    var text: UnsafePointer<CChar>?
    let result = unsafe sd_bus_message_read_basic(message, type, &text)
    try DBusError.check(result, "reading a reply")
    return unsafe text.map { unsafe String(cString: $0) } ?? ""
  }

  private borrowing func contained(
    _ type: CChar,
    _ inside: String,
  ) throws(DBusError) -> [DBusValue] {
    let entered = unsafe sd_bus_message_enter_container(message, type, inside)
    try DBusError.check(entered, "reading a reply")
    let values = try values()
    try DBusError.check(unsafe sd_bus_message_exit_container(message), "reading a reply")
    return values
  }

  // MARK: - Writing

  /// Adds a value at the end.
  borrowing func append(_ value: DBusValue) throws(DBusError) {
    switch value {
    case .boolean(let value): try append(Int32(value ? 1 : 0), "b")
    case .byte(let value): try append(value, "y")
    case .int16(let value): try append(value, "n")
    case .uint16(let value): try append(value, "q")
    case .int32(let value): try append(value, "i")
    case .uint32(let value): try append(value, "u")
    case .int64(let value): try append(value, "x")
    case .uint64(let value): try append(value, "t")
    case .double(let value): try append(value, "d")
    case .string(let text): try append(text: text, "s")
    case .objectPath(let text): try append(text: text, "o")
    case .signature(let text): try append(text: text, "g")
    case .array(let values, let element): try append(values, "a", element)
    case .structure(let values): try append(values, "r", values.map(\.typeSignature).joined())
    case .entry(let key, let value):
      try append([key, value], "e", key.typeSignature + value.typeSignature)
    case .variant(let value): try append([value], "v", value.typeSignature)
    }
  }

  private borrowing func append<Value: BitwiseCopyable>(
    _ value: Value,
    _ type: UnicodeScalar,
  ) throws(DBusError) {
    let result = unsafe withUnsafePointer(to: value) { value in
      unsafe sd_bus_message_append_basic(message, type.code, value)
    }
    try DBusError.check(result, "making a call")
  }

  private borrowing func append(text: String, _ type: UnicodeScalar) throws(DBusError) {
    let result = unsafe text.withCString { text in
      unsafe sd_bus_message_append_basic(message, type.code, text)
    }
    try DBusError.check(result, "making a call")
  }

  private borrowing func append(
    _ values: [DBusValue],
    _ type: UnicodeScalar,
    _ inside: String,
  ) throws(DBusError) {
    let opened = unsafe sd_bus_message_open_container(message, type.code, inside)
    try DBusError.check(opened, "making a call")
    for value in values { try append(value) }
    try DBusError.check(unsafe sd_bus_message_close_container(message), "making a call")
  }
}

extension UnicodeScalar {
  /// The character that sd-bus names a type by.
  fileprivate var code: CChar { CChar(truncatingIfNeeded: value) }
}
