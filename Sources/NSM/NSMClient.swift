// SPDX-License-Identifier: MIT

internal import Glibc
internal import OSC
internal import Synchronization

/// A client of the New Session Manager: announces itself, opens, saves, and reports its state. [any-thread]
///
/// Announce the program before you open a JACK client, because the manager gives the client's name. Then wait with
/// ``join(within:)``: only a program that the manager has accepted is managed.
public final class NSMClient: Sendable {
  /// A capability of a client; the raw value is the protocol's name.
  public enum Capability: String, Sendable, CaseIterable {
    /// It can open another project without a restart.
    case `switch`
    /// It reports unsaved changes.
    case dirty
    /// It reports the progress of opening and saving.
    case progress
    /// It sends messages for people.
    case message
    /// It has a window that can be hidden.
    case optionalGUI = "optional-gui"
  }

  /// The manager's answer to the announcement.
  public enum Joining: Equatable, Sendable {
    /// The manager has accepted the program.
    case managed(NSMManager)
    /// The manager has refused the program, for this reason.
    case refused(NSMRefusal)
    /// The manager has not answered.
    case silent
  }

  static let announcePath = "/nsm/server/announce"
  /// The version of the protocol that is announced.
  private static let version: (major: Int32, minor: Int32) = (1, 1)

  /// The manager's requests after ``join(within:)``, for one reader.
  public var requests: AsyncStream<NSMRequest> { inbox.requests }

  private let manager: ManagerAddress
  private let capabilities: Set<Capability>
  private let inbox: NSMInbox
  private let peer: OSCPeer
  private let isReportedDirty = Mutex(false)

  /// Announces a program to a session manager.
  ///
  /// - Parameters:
  ///   - url: The manager's address, from `$NSM_URL`: `osc.udp://HOST:PORT/`.
  ///   - application: The name that the program would otherwise have on JACK.
  ///   - executable: The program as it was launched: the file name in its first word, found on `$PATH`.
  ///   - capabilities: The program's capabilities.
  /// - Throws: ``NSMError`` if the address cannot be used.
  public init(
    url: String,
    application: String,
    executable: String,
    capabilities: Set<Capability>,
  ) throws(NSMError) {
    manager = try ManagerAddress(url: url)
    self.capabilities = capabilities
    let inbox = NSMInbox(manager: manager)
    self.inbox = inbox
    do throws(OSCError) {
      peer = try OSCPeer { inbox.take($0) }
    } catch {
      throw NSMError("\(error)")
    }
    let words = capabilities.map(\.rawValue).sorted()
    try send(
      Self.announcePath,
      [
        .text(application), .text(words.isEmpty ? "" : ":\(words.joined(separator: ":")):"),
        .text(executable), .integer(Self.version.major), .integer(Self.version.minor),
        .integer(getpid()),
      ]
    )
  }

  /// Waits for the manager's answer to the announcement.
  ///
  /// - Parameter limit: The longest time to wait.
  /// - Returns: The answer; ``Joining/silent`` after that time.
  public func join(within limit: Duration) async -> Joining {
    let answers = inbox.answers
    return await withTaskGroup(of: Joining.self) { group in
      group.addTask {
        for await answer in answers { return answer }
        return .silent
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return .silent
      }
      defer { group.cancelAll() }
      return await group.next() ?? .silent
    }
  }

  /// Ends ``requests``, because the program ends.
  public func end() { inbox.end() }

  // MARK: - Answers

  /// Answers that a request was carried out.
  ///
  /// - Throws: ``NSMError`` if the message cannot be sent.
  public func confirm(_ request: NSMRequest) throws(NSMError) {
    guard let path = request.path else { return }
    try send("/reply", [.text(path), .text("OK")])
  }

  /// Answers that a request failed.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - code: The kind of the fault.
  ///   - reason: One sentence for people.
  /// - Throws: ``NSMError`` if the message cannot be sent.
  public func refuse(
    _ request: NSMRequest,
    _ code: NSMErrorCode,
    _ reason: String,
  ) throws(NSMError) {
    guard let path = request.path else { return }
    try send("/error", [.text(path), .integer(code.rawValue), .text(Self.cut(reason))])
  }

  // MARK: - Reports

  /// Reports whether there are unsaved changes; the manager hears of changes only.
  ///
  /// Needs the capability ``Capability/dirty``.
  ///
  /// - Throws: ``NSMError`` if the message cannot be sent.
  public func setDirty(_ isDirty: Bool) throws(NSMError) {
    let isChanged = isReportedDirty.withLock { last in
      defer { last = isDirty }
      return last != isDirty
    }
    guard isChanged, can(.dirty) else { return }
    try send(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean", [])
  }

  /// Reports the progress of opening or saving.
  ///
  /// Needs the capability ``Capability/progress``.
  ///
  /// - Parameter share: The share that is done, 0 to 1; values outside are clamped.
  /// - Throws: ``NSMError`` if the message cannot be sent.
  public func setProgress(_ share: Float) throws(NSMError) {
    guard can(.progress), !share.isNaN else { return }
    try send("/nsm/client/progress", [.float(min(max(share, 0), 1))])
  }

  /// Shows people a text.
  ///
  /// Needs the capability ``Capability/message``.
  ///
  /// - Parameters:
  ///   - text: One sentence; cut to 500 bytes.
  ///   - priority: The priority.
  /// - Throws: ``NSMError`` if the message cannot be sent.
  public func show(_ text: String, priority: NSMPriority) throws(NSMError) {
    guard can(.message) else { return }
    try send("/nsm/client/message", [.integer(priority.rawValue), .text(Self.cut(text))])
  }

  /// Shows a short text beside the program's name.
  ///
  /// - Throws: ``NSMError`` if the message cannot be sent.
  public func setLabel(_ text: String) throws(NSMError) {
    guard inbox.isManaged else { return }
    try send("/nsm/client/label", [.text(Self.cut(text))])
  }

  /// Reports whether the window is shown: once after ``join(within:)``, then on change.
  ///
  /// Needs the capability ``Capability/optionalGUI``.
  ///
  /// - Throws: ``NSMError`` if the message cannot be sent.
  public func setGUIShown(_ isShown: Bool) throws(NSMError) {
    guard can(.optionalGUI) else { return }
    try send(isShown ? "/nsm/client/gui_is_shown" : "/nsm/client/gui_is_hidden", [])
  }

  private func can(_ capability: Capability) -> Bool {
    inbox.isManaged && capabilities.contains(capability)
  }

  private static func cut(_ text: String) -> String {
    let limitBytes = 500
    return text.utf8.count <= limitBytes
      ? text : String(decoding: text.utf8.prefix(limitBytes - 3), as: UTF8.self) + "…"
  }

  private func send(_ path: String, _ values: [OSCValue]) throws(NSMError) {
    do throws(OSCError) {
      try peer.send(path, values, to: manager.url)
    } catch {
      throw NSMError("\(error)")
    }
  }
}
