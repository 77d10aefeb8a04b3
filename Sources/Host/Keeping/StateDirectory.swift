// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import GraphFiles

/// The directory where hosts keep their state: `$XDG_STATE_HOME/multiroute/<host name>`, or below
/// `~/.local/state`.
enum StateDirectory {
  /// The directory of a host; it may not exist yet. [any-thread]
  ///
  /// - Parameters:
  ///   - hostName: The host's name.
  ///   - environment: The process's environment.
  /// - Returns: The path; nil if neither variable is an absolute path.
  static func path(
    hostName: String,
    environment: [String: String] = ProcessInfo.processInfo.environment,
  ) -> String? {
    let home = environment["HOME"].map { $0 + "/.local/state" }
    return [environment["XDG_STATE_HOME"], home].compactMap { $0 }.first { $0.hasPrefix("/") }
      .map { "\($0)/multiroute/\(hostName)" }
  }
}

/// The place where a host keeps its state.
///
/// Pure value: [any-thread].
struct StatePlace {
  /// The directory; nil where nothing can be kept.
  let directory: String?
  /// Whether the host starts without the state of the last one.
  let startsFresh: Bool
  /// The path of a graph file to which state belongs; nil for the directory's only graph.
  let graphPath: (GraphFile) -> String?
}
