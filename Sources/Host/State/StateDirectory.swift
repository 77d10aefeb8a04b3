// SPDX-License-Identifier: MIT

internal import FoundationEssentials

/// Where hosts keep their state: `$XDG_STATE_HOME/multiroute/<host name>`, or below `~/.local/state`.
enum StateDirectory {
  /// The directory of a host; it need not exist yet.
  ///
  /// - Parameters:
  ///   - hostName: The host's name.
  ///   - environment: The variables that tell.
  /// - Returns: Nil where neither variable is an absolute path.
  static func path(
    hostName: String,
    environment: [String: String] = ProcessInfo.processInfo.environment,
  ) -> String? {
    let home = environment["HOME"].map { $0 + "/.local/state" }
    return [environment["XDG_STATE_HOME"], home].compactMap { $0 }.first { $0.hasPrefix("/") }
      .map { "\($0)/multiroute/\(hostName)" }
  }
}
