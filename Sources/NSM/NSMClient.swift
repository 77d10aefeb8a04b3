// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// A client of the New Session Manager: announces itself, opens, saves, and says when it is dirty.
///
/// Must announce itself before it becomes a client of JACK, because the manager gives the name.
public final class NSMClient: Sendable {
  /// What a client can do; the raw value is the protocol's name.
  public enum Capability: String, Sendable, CaseIterable {
    /// Opens another project without being started anew.
    case `switch`
    /// Says when there is something to save.
    case dirty
  }

  private static let announcePath = "/nsm/server/announce"

  /// What the manager asks for, for one reader; ends when it refuses the client.
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
  ///   - application: The name for people.
  ///   - executable: What starts the program, found on `$PATH`.
  ///   - capabilities: What it can do.
  /// - Throws: ``NSMError`` where the address cannot be used.
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
    peer = try OSCPeer { message in
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
    let words = capabilities.map(\.rawValue).sorted()
    try peer.send(
      Self.announcePath,
      [
        .text(application), .text(words.isEmpty ? "" : ":\(words.joined(separator: ":")):"),
        .text(executable), .integer(1), .integer(2), .integer(getpid()),
      ],
      to: url,
    )
  }

  /// Why the manager has refused the client; nil while it has not.
  public var refusalReason: String? { refusal.text.withLock { $0 } }

  /// Answers that a request has been carried out.
  public func confirm(_ request: NSMRequest) throws(NSMError) {
    guard let path = request.path else { return }
    try peer.send("/reply", [.text(path), .text("OK")], to: manager)
  }

  /// Answers that a request has failed.
  public func refuse(_ request: NSMRequest, _ reason: String) throws(NSMError) {
    guard let path = request.path else { return }
    let code: Int32 = request == .save ? -8 : -5  // ERR_SAVE_FAILED, ERR_BAD_PROJECT
    try peer.send("/error", [.text(path), .integer(code), .text(reason)], to: manager)
  }

  /// Says whether there is something to save.
  public func setDirty(_ isDirty: Bool) throws(NSMError) {
    try peer.send(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean", [], to: manager)
  }
}

extension NSMRequest {
  /// The path of the message that asked; nil where nothing is to be answered.
  var path: String? {
    switch self {
    case .open: "/nsm/client/open"
    case .save: "/nsm/client/save"
    case .sessionIsLoaded: nil
    }
  }
}
