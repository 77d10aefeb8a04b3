// SPDX-License-Identifier: MIT

public import Sessions

/// The role of a connection: a user, or an app.
///
/// Pure value: [any-thread].
public enum ClientRole: String, Codable, WireNamed, CaseIterable {
  /// A tool of the user, as the command line is: it may change what the user decides.
  case user
  /// A program that plays or records: it may change the mix and its own sessions.
  case app
}

/// The clients that may make a request; the graph may let apps do all of it.
///
/// Pure value: [any-thread].
public enum MethodAccess: Sendable, Hashable {
  /// Everybody.
  case everybody
  /// Users' tools, and no apps.
  case users
  /// Users' tools, and the program that has opened this session.
  case session(String)
  /// Users' tools, and the program that has opened this session, unless the graph leaves routes to users.
  case routePicker(session: String)
  /// Users' tools, and the program that has opened a session of this app.
  case app(String)
  /// Users' tools that say so, and the program to which the graph gives a class above `app` by this name.
  case priorityClass(app: String)
}
