// SPDX-License-Identifier: MIT

internal import FoundationEssentials

extension ControlParams {
  /// The parameters as they travel, without those left out: for events that tell of a change.
  package var details: [String: JSONValue] {
    // Parameters come from JSON, so there is nothing in them that JSON cannot hold.
    guard let data = try? JSONCoding.encoder().encode(self) else { return [:] }
    return (try? JSONCoding.decoder().decode([String: JSONValue].self, from: data)) ?? [:]
  }
}
