// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import GraphFiles

/// The graph that `multiroute run` plays when none is named: the user's own, else the one that comes with the program.
///
/// Pure functions: [any-thread].
enum DefaultGraph {
  /// The user's own, which `multiroute init` writes.
  static var ownPath: String {
    let environment = ProcessInfo.processInfo.environment
    let standard = (environment["HOME"] ?? "") + "/.config"
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? standard
    return folder + "/multiroute/graph.yaml"
  }

  /// The path of the graph to play; nil where there is none.
  static var path: String? {
    ([ownPath] + [shippedFolder.map { $0 + "/dj-split.yaml" }].compactMap(\.self)).first {
      unsafe access($0, R_OK) == 0
    }
  }

  /// The folder of the sound files that come with the program; nil where there is none.
  static var media: String? {
    shippedFolder.map { $0 + "/media" }.flatMap { unsafe access($0, R_OK) == 0 ? $0 : nil }
  }

  /// Whether a graph came with an installed program: the next package replaces it, and only root may write it.
  static func isInstalled(_ path: String) -> Bool {
    guard let policies = ShippedPolicies().folder, !policies.hasSuffix("/graphs/policies") else {
      return false
    }
    return path.hasPrefix(policies.dropLast("policies".count))
  }

  /// The folder of the graphs that come with the program: that of the checkout, or the installed one beside the policies.
  private static var shippedFolder: String? {
    guard let policies = ShippedPolicies().folder else { return nil }
    let parent = policies.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let shared = parent.joined(separator: "/")
    return parent.last == "graphs" ? shared : shared + "/graphs"
  }
}
