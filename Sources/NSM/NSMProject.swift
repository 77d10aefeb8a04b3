// SPDX-License-Identifier: MIT

/// What a session manager gives a client to open.
public struct NSMProject: Hashable, Sendable {
  /// Where the client keeps what it saves: a path that is the client's own, to which it adds what it
  /// likes.
  public let path: String
  /// The name of the session for people.
  public let displayName: String
  /// The name that the client must use on JACK.
  public let clientID: String

  /// Makes a project.
  public init(path: String, displayName: String, clientID: String) {
    self.path = path
    self.displayName = displayName
    self.clientID = clientID
  }
}

/// What a session manager asks of a client.
public enum NSMRequest: Hashable, Sendable {
  /// To open a project, or with the capability `switch` another one.
  case open(NSMProject)
  /// To save what it has.
  case save
  /// All clients of the session are there; nothing is to be answered.
  case sessionIsLoaded
}

/// What the session manager, or the way to it, failed with.
public struct NSMError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
