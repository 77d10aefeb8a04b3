// SPDX-License-Identifier: MIT

public import Sessions
internal import YAML

/// Events that a person has written down, to rehearse a policy with.
///
/// Pure value: [any-thread].
public struct EventScript: Sendable, Equatable {
  /// One event.
  public struct Event: Sendable, Equatable {
    /// When, in nanoseconds after the beginning; not before the event above it.
    public var timeNanoseconds: UInt64
    /// The action.
    public var action: Action
    /// Its line in the file, from 1.
    public var line: Int
    /// Its column in the file, from 1.
    public var column: Int
  }

  /// The action of an event.
  public enum Action: Sendable, Equatable {
    /// A JACK client appears and connects itself; the rules of the policy decide about it.
    case client(name: String, executable: String?)
    /// An app opens a session.
    case open(app: String, session: GraphFile.AppSession)
    /// Something happens to a client, or to the session of an app, that is there.
    case session(name: String, SessionAction)
    /// All apps are in the foreground again.
    case allInForeground
    /// A simulated interruption begins.
    case interruptionBegins(PriorityClass)
    /// A simulated interruption ends.
    case interruptionEnds(PriorityClass, shouldResume: Bool)
    /// A call changes its state.
    case call(Call, shouldResume: Bool)
    /// The silent switch is set.
    case silentSwitch(isOn: Bool)
    /// The screen is locked or unlocked.
    case lock(isOn: Bool)
    /// The microphone is muted or unmuted.
    case microphoneMute(isOn: Bool)
    /// A route is plugged in, or unplugged.
    case plug(route: String, isPlugged: Bool)
    /// A media key, for an app or for the one that is now playing.
    case press(RemoteCommand, app: String?)
    /// The user says whether an app may record.
    case permission(app: String, GraphFile.Permission)
    /// The JACK server is lost, or back.
    case server(isThere: Bool)
  }

  /// An action of one session, or on it.
  public enum SessionAction: Sendable, Equatable {
    /// It sounds.
    case play
    /// It falls silent; an app's audio stops.
    case stop
    /// Its app activates it.
    case activate
    /// Its app deactivates it.
    case deactivate(notifiesOthers: Bool)
    /// It ends, or the client vanishes.
    case close
    /// Its app goes to the background.
    case background
    /// Its app comes to the foreground, and the others go to the background.
    case foreground
    /// Its app asks for the permission to record.
    case requestPermission
  }

  /// The state of a call; the raw value is the name in the file.
  public enum Call: String, Sendable, CaseIterable {
    /// It rings.
    case ring
    /// It is answered.
    case answer
    /// It is declined.
    case decline
    /// It is over.
    case end
  }

  /// The path it was read from.
  public internal(set) var path: String
  /// The events, oldest first.
  public internal(set) var events: [Event] = []
  /// The most events of a script.
  static let limit = 10_000

  /// Reads the text of a script.
  ///
  /// - Parameters:
  ///   - text: YAML, at most 1 MiB.
  ///   - path: The file of the text, for errors.
  /// - Returns: The script.
  /// - Throws: All the faults of the text.
  public static func parse(_ text: String, path: String) throws(GraphFileErrors) -> EventScript {
    let log = DiagnosticLog(file: path, text: text)
    var script = EventScript(path: path)
    do {
      let root = try YAMLComposer.compose(text)
      script.read(root, log: log)
    } catch {
      log.error(at: error.position, error.message)
    }
    if let errors = log.errors { throw errors }
    return script
  }

  /// A fault that shows only together with a graph, such as an unknown route.
  ///
  /// - Parameters:
  ///   - event: Where.
  ///   - message: The fault, and what is allowed.
  /// - Returns: The error.
  public func fault(at event: Event, _ message: String) -> GraphFileErrors {
    GraphFileErrors(diagnostics: [
      GraphDiagnostic(file: path, line: event.line, column: event.column, message: message)
    ])
  }
}
