// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket

/// An active session around something that a command does.
///
/// When the host dies, that goes on, and the session is opened and activated anew once the host is back.
struct ActiveSession: Sendable {
  private struct Opened: Sendable {
    let client: ControlClient
    let session: String
  }

  private static let pause = Duration.milliseconds(200)

  let address: HostAddress
  let params: OpenSession.Params

  /// Does something while the session is active, and lets those that it interrupted resume afterwards.
  ///
  /// - Parameters:
  ///   - client: The connection that the session is to belong to first.
  ///   - body: What is done.
  /// - Returns: What came of it.
  /// - Throws: Why there is no session, and what `body` throws.
  func around<Value>(
    _ client: ControlClient,
    _ body: () async throws -> Value,
  ) async throws -> Value {
    let session = try await client.call(OpenSession.self, params).session
    _ = try await client.call(ActivateSession.self, .init(session: session))
    let keeper = Task { await keep(Opened(client: client, session: session)) }
    let result: Result<Value, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    keeper.cancel()
    if let last = await keeper.value {
      // A host that goes just now has ended it itself.
      let end = DeactivateSession.Params(session: last.session, notifyOthers: true)
      _ = try? await last.client.call(DeactivateSession.self, end)
      _ = try? await last.client.call(CloseSession.self, .init(session: last.session))
      await last.client.close()
    }
    return try result.get()
  }

  /// Opens the session anew whenever the host is back, until it is cancelled.
  ///
  /// - Returns: The last one; nil where the host is away.
  private func keep(_ first: Opened) async -> Opened? {
    var opened = first
    while true {
      // They end with the connection, or with this task.
      for await _ in opened.client.notifications {}
      if Task.isCancelled { return opened }
      await opened.client.close()
      Terminal.complain("the host is gone; the session is opened anew when it is back")
      guard let next = await reopened() else { return nil }
      opened = next
    }
  }

  private func reopened() async -> Opened? {
    while !Task.isCancelled {
      do {
        let client = try await ControlClient.connect(to: address, clientName: "multiroute")
        do {
          let session = try await client.call(OpenSession.self, params).session
          await activate(session, client)
          return Opened(client: client, session: session)
        } catch {
          // It is not ready yet, or has gone again.
          await client.close()
          throw error
        }
      } catch {
        try? await Task.sleep(for: Self.pause)
      }
    }
    return nil
  }

  private func activate(_ session: String, _ client: ControlClient) async {
    do {
      _ = try await client.call(ActivateSession.self, .init(session: session))
    } catch {
      Terminal.complain("session '\(session)' is open but not active: \(error)")
    }
  }
}
