// SPDX-License-Identifier: MIT

internal import FoundationEssentials

extension RouteDetail {
  /// The route as it travels in the details of an event.
  package var jsonValue: JSONValue {
    // Strings and numbers only: nothing in it that JSON could not hold.
    guard let data = try? JSONCoding.encoder().encode(self) else { return .null }
    return (try? JSONCoding.decoder().decode(JSONValue.self, from: data)) ?? .null
  }

  /// Reads a route from the details of an event; nil where it is none.
  package init?(jsonValue: JSONValue) {
    guard let data = try? JSONCoding.encoder().encode(jsonValue),
      let route = try? JSONCoding.decoder().decode(RouteDetail.self, from: data)
    else { return nil }
    self = route
  }
}
