// SPDX-License-Identifier: MIT

internal import Glibc
internal import OSC
internal import Synchronization

/// A client of the New Session Manager: announces itself, opens, saves, and reports unsaved changes. [any-thread]
///
/// Announce the program before you open a JACK client, because the manager gives the client's name.
public final class NSMClient: Sendable {
  /// A capability of a client; the raw value is the protocol's name.
  public enum Capability: String, Sendable, CaseIterable {
    /// It can open another project without a restart.
    case `switch`
    /// It reports unsaved changes.
    case dirty
  }

  private static let announcePath = "/nsm/server/announce"

  /// The manager's requests, for one reader; they end when the manager refuses the client.
  public let requests: AsyncStream<NSMRequest>

  private let manager: String
  private let peer: OSCPeer
  private let continuation: AsyncStream<NSMRequest>.Continuation
  private let refusal: Refusal

  private final class Refusal: Sendable {
    let text = Mutex<String?>(nil)
  }

  /// Announces a program to a session manager.
  ///
  /// - Parameters:
  ///   - url: The manager's address, from `$NSM_URL`.
  ///   - application: The display name.
  ///   - executable: The program to start, found on `$PATH`.
  ///   - capabilities: The program's capabilities.
  /// - Throws: ``NSMError`` if the address cannot be used.
  public init(
    url: String,
    application: String,
    executable: String,
    capabilities: Set<Capability>,
  ) throws(NSMError) {
    let (stream, continuation) = AsyncStream.makeStream(of: NSMRequest.self)
    requests = stream
    self.continuation = continuation
    manager = url
    let refusal = Refusal()
    self.refusal = refusal
    let receive: @Sendable (OSCPeer.Message) -> Void = { message in
      let texts = message.values.map(\.text)
      switch message.path {
      case "/nsm/client/open" where texts.count == 3:
        let project = NSMProject(path: texts[0], displayName: texts[1], clientID: texts[2])
        continuation.yield(.open(project))
      case "/nsm/client/save":
        continuation.yield(.save)
      case "/nsm/client/session_is_loaded":
        continuation.yield(.sessionIsLoaded)
      case "/error" where texts.first == Self.announcePath:
        refusal.text.withLock { $0 = texts.last }
        continuation.finish()
      default:
        break
      }
    }
    do throws(OSCError) {
      peer = try OSCPeer(receive)
    } catch {
      throw NSMError("\(error)")
    }
    let words = capabilities.map(\.rawValue).sorted()
    try send(
      Self.announcePath,
      [
        .text(application), .text(words.isEmpty ? "" : ":\(words.joined(separator: ":")):"),
        .text(executable), .integer(1), .integer(2), .integer(getpid()),
      ]
    )
  }

  /// The reason of the manager's refusal; nil while there is none.
  public var refusalReason: String? { refusal.text.withLock { $0 } }

  /// Answers that a request was carried out.
  public func confirm(_ request: NSMRequest) throws(NSMError) {
    guard let path = request.path else { return }
    try send("/reply", [.text(path), .text("OK")])
  }

  /// Answers that a request failed.
  public func refuse(_ request: NSMRequest, _ reason: String) throws(NSMError) {
    guard let path = request.path else { return }
    let code: Int32 = request == .save ? -8 : -5  // ERR_SAVE_FAILED, ERR_BAD_PROJECT
    try send("/error", [.text(path), .integer(code), .text(reason)])
  }

  private func send(_ path: String, _ values: [OSCValue]) throws(NSMError) {
    do throws(OSCError) {
      try peer.send(path, values, to: manager)
    } catch {
      throw NSMError("\(error)")
    }
  }

  /// Reports whether there are unsaved changes.
  public func setDirty(_ isDirty: Bool) throws(NSMError) {
    try send(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean", [])
  }
}

extension NSMRequest {
  /// The path of the request's message; nil if no answer is expected.
  var path: String? {
    switch self {
    case .open: "/nsm/client/open"
    case .save: "/nsm/client/save"
    case .sessionIsLoaded: nil
    }
  }
}

/// A project that a session manager opens in a client.
///
/// Pure value: [any-thread].
public struct NSMProject: Hashable, Sendable {
  /// The path for the client's files: a prefix that belongs to the client alone.
  public let path: String
  /// The display name of the session.
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
}

/// A failure of the session manager, or of the messages to it.
///
/// Pure value: [any-thread].
public struct NSMError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
