// SPDX-License-Identifier: MIT

internal import JACK

/// The answers to questions that ``PortDirectory/prepareAnswers(to:facing:)`` has found on a copy of a directory.
///
/// Pure value: [any-thread].
package struct PreparedAnswers: Sendable {
  /// The ports that were asked.
  private let ports: [String: PortInfo]
  /// The names of those that answer, in natural order.
  private let names: [PortQuery: [String]]

  /// Keeps answers with the ports that were asked.
  init(ports: [String: PortInfo], names: [PortQuery: [String]]) {
    self.ports = ports
    self.names = names
  }

  /// The answer among the ports that exist now: only those that have come or changed since are asked.
  ///
  /// - Parameters:
  ///   - query: The question.
  ///   - present: The ports that exist now, by name.
  /// - Returns: The names in natural order; nil for a question without a prepared answer.
  func names(for query: PortQuery, among present: [String: PortInfo]) -> [String]? {
    guard var found = names[query] else { return nil }
    found.removeAll { present[$0] == nil || present[$0] != ports[$0] }
    for port in present.values where ports[port.name] != port && query.matches(port) {
      found.insertNaturally(port.name)
    }
    return found
  }
}
