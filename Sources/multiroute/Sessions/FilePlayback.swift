// SPDX-License-Identifier: MIT

import CommandSupport
import ControlProtocol
import ControlSocket
import Sessions

/// A file that the host plays for this command.
///
/// Belongs to the control thread.
struct FilePlayback: Sendable {
  /// How it ended.
  enum Ending: Sendable {
    /// The file has ended.
    case played
    /// The host or its server is gone; the rest of the file can be played once they are back.
    case lost(rest: FilePlayback)
  }

  private static let pause = Duration.milliseconds(200)

  /// The parameters of the session, with the file.
  let params: OpenSession.Params

  /// The topics that its client must be subscribed to.
  static let topics: [Topic] = [.events]

  /// Has a host play the file, and returns when it has ended; the session ends with the connection.
  ///
  /// - Throws: Why the file cannot be played.
  func play(on client: ControlClient) async throws -> Ending {
    var params = params
    params.activates = true
    let opened = try await client.call(OpenSession.self, params)
    var time = PlayTime()
    for await notification in client.notifications {
      guard case .event(let event) = notification else { continue }
      switch event.payload {
      case .fileEnded(let end) where end.strip == opened.strip:
        // A host that ends at this moment has closed the session itself, so an error is expected here.
        _ = try? await client.call(CloseSession.self, .init(session: opened.session))
        return .played
      case .error(let place) where place.strip == opened.strip:
        Terminal.complain("warning: \(event.message)")
      case .session(let notice) where notice.session == opened.session: time.note(notice.content)
      case .serverLost: return .lost(rest: rest(after: time.seconds))
      default: continue
      }
    }
    return .lost(rest: rest(after: time.seconds))
  }

  /// Waits until the host and its server are back, and plays the file there.
  ///
  /// - Throws: Why the file cannot be played any more.
  func playOnceBack(at address: HostAddress) async throws -> Ending {
    while true {
      do {
        let client = try await ControlClient.connect(to: address, subscribingTo: Self.topics)
        let ending = await Result.of { try await play(on: client) }
        await client.close()
        return try ending.get()
      } catch let error as ControlClientError {
        if error.isBeyondEnd { return .played }
        guard error.passes else { throw error }
        try await Task.sleep(for: Self.pause)
      }
    }
  }

  private func rest(after seconds: Double) -> FilePlayback {
    var params = params
    params.startSeconds = (params.startSeconds ?? 0) + seconds
    return FilePlayback(params: params)
  }
}

/// How long a file has played, without its interruptions.
private struct PlayTime {
  private var past = Duration.zero
  private var since: ContinuousClock.Instant? = .now

  var seconds: Double { (past + (since.map { .now - $0 } ?? .zero)) / .seconds(1) }

  mutating func note(_ notice: EventPayload.SessionNotice.Content) {
    switch notice {
    case .interruptionBegan:
      past += since.map { .now - $0 } ?? .zero
      since = nil
    case .didBecomeActive: since = since ?? .now
    default: break
    }
  }
}

extension Result where Success: Sendable, Failure == any Error {
  /// The outcome of `body`. [any-thread]
  fileprivate static func of(_ body: () async throws -> Success) async -> Self {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}

extension ControlClientError {
  /// Whether the same call may succeed a moment later, because a host or its server comes back.
  fileprivate var passes: Bool {
    switch code {
    case .noSuchHost, .hostDead, .timedOut, .connectionClosed: true
    case .refused(let reason): reason.code == .notReady
    default: false
    }
  }

  /// Whether the rest of the file is empty.
  fileprivate var isBeyondEnd: Bool {
    guard case .refused(let reason) = code else { return false }
    return reason.data?.place == "startSeconds"
  }
}
