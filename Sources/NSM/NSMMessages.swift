// SPDX-License-Identifier: MIT

/// A project that a session manager opens in a client.
///
/// Pure value: [any-thread].
public struct NSMProject: Hashable, Sendable {
  /// The path for the client's files: a prefix that belongs to the client alone.
  public let path: String
  /// The display name of the session.
  public let displayName: String
  /// The name that the client must use on JACK; a client with several JACK clients names each `clientID/part`.
  public let clientID: String

  /// Makes a project.
  public init(path: String, displayName: String, clientID: String) {
    self.path = path
    self.displayName = displayName
    self.clientID = clientID
  }
}

/// A request of a session manager.
///
/// Pure value: [any-thread].
public enum NSMRequest: Hashable, Sendable {
  /// Open a project; with the capability `switch`, also another one later.
  case open(NSMProject)
  /// Save.
  case save
  /// All clients of the session have been loaded; no answer is expected.
  case sessionIsLoaded
  /// Show the window; no answer is expected.
  case showOptionalGUI
  /// Hide the window; no answer is expected.
  case hideOptionalGUI

  /// The path of the request's message; nil if no answer is expected.
  var path: String? {
    switch self {
    case .open: "/nsm/client/open"
    case .save: "/nsm/client/save"
    case .sessionIsLoaded, .showOptionalGUI, .hideOptionalGUI: nil
    }
  }
}

/// A session manager that has accepted the program.
///
/// Pure value: [any-thread].
public struct NSMManager: Equatable, Sendable {
  /// The manager's name.
  public let name: String
  /// A text for people.
  public let greeting: String
  /// The manager's capabilities, such as `server-control` and `broadcast`.
  public let capabilities: Set<String>
}

/// A manager's refusal of the announcement.
///
/// Pure value: [any-thread].
public struct NSMRefusal: Equatable, Sendable {
  /// The protocol's number; managers also send numbers that ``NSMErrorCode`` does not have.
  public let code: Int32
  /// The manager's reason.
  public let reason: String
}

/// The protocol's errors with their numbers.
///
/// Pure value: [any-thread].
public enum NSMErrorCode: Int32, Sendable, CaseIterable {
  /// Anything else, such as a failed save, to which the protocol gives no number of its own.
  case general = -1
  /// The manager's protocol has another major version.
  case incompatibleAPI = -2
  /// The manager does not take this program.
  case blacklisted = -3
  /// A program could not be started.
  case launchFailed = -4
  /// The file or session does not exist.
  case noSuchFile = -5
  /// No session is open.
  case noSessionOpen = -6
  /// Unsaved changes would be lost.
  case unsavedChanges = -7
  /// The request cannot be carried out at this moment.
  case notNow = -8
  /// The project is damaged.
  case badProject = -9
  /// A new project cannot be made.
  case createFailed = -10
}

/// The priority of a text for people.
///
/// Pure value: [any-thread].
public enum NSMPriority: Int32, Sendable {
  /// For those who look.
  case low
  /// Worth a look.
  case normal
  /// A fault.
  case high
  /// Urgent.
  case urgent
}

/// A failure of the session manager, or of the messages to it.
///
/// Pure value: [any-thread].
public struct NSMError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
