// SPDX-License-Identifier: MIT

/// A branch of the tree, or a parameter, that has another path from now on and stays the same in all else.
///
/// Pure value: [any-thread].
public struct ParameterRename: Codable, Sendable, Hashable {
  /// The path until now, such as `/strip/deck-a`.
  public var from: String
  /// The path from now on, such as `/strip/player`.
  public var to: String

  /// Makes the value from its parts.
  public init(from: String, to: String) {
    self.from = from
    self.to = to
  }

  /// A path as it is afterwards; nil for one that is not on the branch.
  fileprivate func path(after path: String) -> String? {
    if path == from { return to }
    return path.hasPrefix(from + "/") ? to + path.dropFirst(from.count) : nil
  }
}

/// Pure functions: [any-thread].
extension [ParameterRename] {
  /// A path as it is after all of them, in their order.
  package func path(after path: String) -> String {
    reduce(path) { $1.path(after: $0) ?? $0 }
  }

  /// Values by path as they are afterwards; a value that stands at a new path already gives way.
  package func values<Value>(after values: [String: Value]) -> [String: Value] {
    var renamed: [String: Value] = [:]
    for (path, value) in values {
      let new = self.path(after: path)
      if new != path || renamed[new] == nil { renamed[new] = value }
    }
    return renamed
  }
}
