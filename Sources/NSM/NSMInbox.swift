// SPDX-License-Identifier: MIT

internal import OSC
internal import Synchronization

/// The messages from a session manager, sorted into the answer to the announcement, and requests.
///
/// Only the manager is heard: the answer must come from its address, and all else from the sender of the answer. Messages of
/// others, unknown ones and those with other arguments than the protocol's are ignored. [any-thread]
final class NSMInbox: Sendable {
  /// The requests after the announcement was accepted, for one reader.
  let requests: AsyncStream<NSMRequest>
  /// The answer to the announcement, for one reader.
  let answers: AsyncStream<NSMClient.Joining>

  /// The most requests that wait for the program; the protocol has one at a time.
  private static let requestLimit = 64

  private let manager: ManagerAddress
  private let requestSink: AsyncStream<NSMRequest>.Continuation
  private let answerSink: AsyncStream<NSMClient.Joining>.Continuation
  /// The sender of the answer that accepted the program.
  private let acceptedSender = Mutex<String?>(nil)

  init(manager: ManagerAddress) {
    self.manager = manager
    (requests, requestSink) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.requestLimit)
    )
    (answers, answerSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// Whether the manager has accepted the program.
  var isManaged: Bool { acceptedSender.withLock { $0 != nil } }

  /// Ends the requests.
  func end() { requestSink.finish() }

  /// Takes a message of any sender.
  func take(_ message: OSCPeer.Message) {
    if let sender = acceptedSender.withLock({ $0 }) {
      guard message.sender == sender, let request = NSMRequest(message) else { return }
      requestSink.yield(request)
    } else if let answer = NSMClient.Joining(message), manager.isSender(message.sender) {
      if case .managed = answer { acceptedSender.withLock { $0 = message.sender } }
      answerSink.yield(answer)
    }
  }
}

extension NSMRequest {
  /// Reads a message; nil for one that is no request.
  fileprivate init?(_ message: OSCPeer.Message) {
    switch (message.path, message.values.count) {
    case ("/nsm/client/open", 3):
      guard case .text(let path) = message.values[0], case .text(let name) = message.values[1],
        case .text(let clientID) = message.values[2]
      else { return nil }
      self = .open(NSMProject(path: path, displayName: name, clientID: clientID))
    case ("/nsm/client/save", 0): self = .save
    case ("/nsm/client/session_is_loaded", 0): self = .sessionIsLoaded
    case ("/nsm/client/show_optional_gui", 0): self = .showOptionalGUI
    case ("/nsm/client/hide_optional_gui", 0): self = .hideOptionalGUI
    default: return nil
    }
  }
}

extension NSMClient.Joining {
  /// Reads a message; nil for one that is no answer to the announcement.
  fileprivate init?(_ message: OSCPeer.Message) {
    let values = message.values
    guard values.first == .text(NSMClient.announcePath) else { return nil }
    switch (message.path, values.count) {
    case ("/reply", 4):
      let capabilities = values[3].text.split(separator: ":").map(String.init)
      self = .managed(
        NSMManager(
          name: values[2].text,
          greeting: values[1].text,
          capabilities: Set(capabilities)
        )
      )
    case ("/error", 3):
      guard case .integer(let code) = values[1] else { return nil }
      self = .refused(NSMRefusal(code: code, reason: values[2].text))
    default: return nil
    }
  }
}
