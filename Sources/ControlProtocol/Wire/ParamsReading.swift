// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Reads the parameters of a method, and reports the name and the allowed values of bad ones.
///
/// Pure functions: [any-thread].
enum ParamsReading {
  /// Reads the object at `key`; a missing one counts as empty.
  static func request<Method: ControlMethod, Key: CodingKey>(
    _ method: Method.Type,
    _ message: KeyedDecodingContainer<Key>,
    key: Key,
  ) throws(ControlError) -> ControlRequest {
    var object: KeyedDecodingContainer<AnyKey>?
    do {
      let params: Method.Params
      if message.contains(key) {
        object = try Self.object(message, key: key)
        try object.map { try refuseStrangers(in: $0, method) }
        params = try message.decode(Method.Params.self, forKey: key)
      } else {
        params = try JSONDecoder().decode(Method.Params.self, from: Data("{}".utf8))
      }
      try params.check()
      return ControlRequest(method, params)
    } catch let error as ControlError {
      throw error
    } catch let error as DecodingError {
      throw ControlError(error, fields: Method.Params.fields.map { ($0.name, $0.allowed) })
    } catch {
      // Foundation reports a number that does not fit without its position.
      throw badNumber(in: object, Method.Params.fields)
    }
  }

  private static func object<Key: CodingKey>(
    _ message: KeyedDecodingContainer<Key>,
    key: Key,
  ) throws(ControlError) -> KeyedDecodingContainer<AnyKey> {
    do {
      return try message.nestedContainer(keyedBy: AnyKey.self, forKey: key)
    } catch {
      throw ControlError(
        .invalidParams,
        place: "params",
        fault: "it is not an object",
        allowed: "an object with parameters by name",
      )
    }
  }

  private static func refuseStrangers<Method: ControlMethod>(
    in object: KeyedDecodingContainer<AnyKey>,
    _ method: Method.Type,
  ) throws(ControlError) {
    let fields = method.Params.fields
    let isKnown = { (key: AnyKey) in fields.contains { $0.name == key.stringValue } }
    guard let stranger = object.allKeys.first(where: { !isKnown($0) }) else { return }
    let names = fields.map(\.name)
    throw ControlError(
      .invalidParams,
      place: String(stranger.stringValue.prefix(64)),
      fault: "\(method.name) has no such parameter",
      allowed: names.isEmpty ? "no parameters" : names.joined(separator: ", "),
    )
  }

  private static func badNumber<Params>(
    in object: KeyedDecodingContainer<AnyKey>?,
    _ fields: [ParamField<Params>],
  ) -> ControlError {
    let culprit = fields.first { field in
      let key = AnyKey(stringValue: field.name)
      guard let object, object.contains(key) else { return false }
      guard let value = try? object.decode(JSONValue.self, forKey: key) else { return true }
      return field.isWhole && value.hasFraction
    }
    return ControlError(
      .invalidParams,
      place: culprit?.name ?? "params",
      fault: "it has a number that does not fit",
      allowed: culprit?.allowed ?? fields.map(\.name).joined(separator: ", "),
    )
  }
}

extension JSONValue {
  /// Whether it is, or an array of it holds, a number that is no 64-bit integer.
  fileprivate var hasFraction: Bool {
    switch self {
    case .number: true
    case .array(let elements): elements.contains(where: \.hasFraction)
    case .null, .bool, .integer, .string, .object: false
    }
  }
}

/// A key that takes any name.
private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension ControlError {
  /// A message that is JSON but no JSON-RPC 2.0 request.
  static func invalidRequest(_ place: String, _ fault: String, _ allowed: String) -> ControlError {
    ControlError(.invalidRequest, place: place, fault: fault, allowed: allowed)
  }

  /// The fault of a parameter, from the decoder's error.
  init(_ error: DecodingError, fields: [(name: String, allowed: String)]) {
    let path: [any CodingKey]
    let fault: String
    switch error {
    case .keyNotFound(let key, let context):
      path = context.codingPath + [key]
      fault = "it is missing"
    case .valueNotFound(_, let context):
      path = context.codingPath
      fault = "it is null"
    case .typeMismatch(_, let context):
      path = context.codingPath
      fault = "it has the wrong type"
    case .dataCorrupted(let context):
      path = context.codingPath
      fault = "it has a value that is not allowed"
    @unknown default:
      path = []
      fault = "it cannot be read"
    }
    let keys = path.drop { $0.stringValue == "params" }
    let allowed = fields.first { $0.name == keys.first?.stringValue }?.allowed
    self.init(
      .invalidParams,
      place: keys.isEmpty ? "params" : Self.place(keys),
      fault: fault,
      allowed: allowed ?? fields.map(\.name).joined(separator: ", "),
    )
  }

  /// The path in the usual notation: `topics[1]`.
  private static func place(_ keys: ArraySlice<any CodingKey>) -> String {
    keys.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}
