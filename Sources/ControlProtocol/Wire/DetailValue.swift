// SPDX-License-Identifier: MIT

internal import FoundationEssentials

/// A value that travels in the details of an event: strings, numbers and lists of them only.
package protocol DetailValue: Codable {}

extension DetailValue {
  /// The value as it travels.
  package var jsonValue: JSONValue {
    // Strings and numbers only: nothing in it that JSON could not hold.
    guard let data = try? JSONCoding.encoder().encode(self) else { return .null }
    return (try? JSONCoding.decoder().decode(JSONValue.self, from: data)) ?? .null
  }

  /// Reads a value; nil where it is none of the type.
  package init?(jsonValue: JSONValue) {
    guard let data = try? JSONCoding.encoder().encode(jsonValue),
      let value = try? JSONCoding.decoder().decode(Self.self, from: data)
    else { return nil }
    self = value
  }
}

extension RouteDetail: DetailValue {}

extension ControlError: DetailValue {}
