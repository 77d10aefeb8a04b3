// SPDX-License-Identifier: MIT

internal import YAML

/// The keys of a policy file.
enum PolicyKey: String, SectionKey {
  static let section = "policy file"
  case multiroute, include, tower, permissions, adopt
}

/// A policy file that a graph includes: what it says about programs, with its places.
///
/// Pure value: [any-thread].
struct PolicyFile {
  /// Its path, as errors name it.
  let path: String
  let tower: Section<TowerKey>?
  let permissions: Section<PermissionsKey>?
  /// Its rules for adopted clients.
  let rules: [PlacedRule]
  let log: DiagnosticLog

  init(_ section: Section<PolicyKey>, path: String, root: YAMLNode) {
    self.path = path
    log = section.log
    tower = section[.tower]?.section()
    permissions = section[.permissions]?.section()
    rules = section[.adopt]?.adoptionRules(root: root, isIncluded: true) ?? []
  }
}

/// A rule for adopted clients with its place: in the graph file, or in a policy file that the graph includes.
///
/// Pure value: [any-thread].
struct PlacedRule {
  let adoption: GraphFile.Adoption
  /// Its place in the list `adopt` of its file.
  let index: Int
  let isLast: Bool
  let map: SourceMap
  let log: DiagnosticLog

  /// The position of a value of the rule, or of the last step that exists.
  func position(_ path: SourceMap.Step...) -> SourcePosition {
    map.position(of: ["adopt", .index(index)] + path)
  }

  /// The position of a key of the rule, or of the last step that exists.
  func keyPosition(_ path: SourceMap.Step...) -> SourcePosition {
    map.keyPosition(of: ["adopt", .index(index)] + path)
  }
}

extension Field {
  /// The rules of a list `adopt`.
  ///
  /// - Parameters:
  ///   - root: The file.
  ///   - isIncluded: Whether it is a policy file that a graph includes.
  /// - Returns: The rules in their order.
  func adoptionRules(root: YAMLNode, isIncluded: Bool = false) -> [PlacedRule] {
    let entries = list(allowed: "a list of rules", limit: 1_024) ?? []
    let map = SourceMap(root: root)
    return entries.enumerated().map { index, entry in
      var adoption = GraphFile.Adoption(entry)
      adoption.isIncluded = isIncluded
      return PlacedRule(
        adoption: adoption,
        index: index,
        isLast: index == entries.count - 1,
        map: map,
        log: log,
      )
    }
  }
}

extension [PlacedRule] {
  /// The rules of several files in the order in which they count: those that name clients, then the first for all others.
  ///
  /// - Parameter included: The rules of each included file, the nearest first.
  /// - Returns: All rules in their order. [any-thread]
  func merged(with included: [[PlacedRule]]) -> [PlacedRule] {
    // Without included files the order is the file's, so that a default that stands too early is reported there.
    guard !included.isEmpty else { return self }
    let all = self + included.joined()
    let standard = all.first(where: \.adoption.isDefault)
    return all.filter { !$0.adoption.isDefault } + [standard].compactMap { $0 }
  }
}
