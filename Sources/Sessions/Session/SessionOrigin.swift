// SPDX-License-Identifier: MIT

/// Why a session is there, where no app has asked for it: so another graph's policy can describe it anew.
///
/// Pure value: [any-thread].
public enum SessionOrigin: Hashable, Codable, Sendable {
  /// It is the host's own, for all sources of the graph without a session of their own.
  case host
  /// A source of the graph has it.
  case source(name: String)
  /// A rule has given it to a JACK client; the path of the client's program, if known.
  case client(name: String, executable: String?)
}
