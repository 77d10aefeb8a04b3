// SPDX-License-Identifier: MIT

extension ControlError {
  /// A message that is JSON but no JSON-RPC 2.0 request.
  static func invalidRequest(_ place: String, _ fault: String, _ allowed: String) -> ControlError {
    ControlError(.invalidRequest, place: place, fault: fault, allowed: allowed)
  }

  /// What is wrong with a parameter, out of what the decoder found.
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
