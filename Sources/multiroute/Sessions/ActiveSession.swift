// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket
import Glibc
import SystemSupport
import UnixSignals

/// Keeps a session active while a command does something.
///
/// When the host dies, the work continues, and the session is opened and activated anew once the host is back.
///
/// Belongs to the control thread.
struct ActiveSession: Sendable {
  private struct Opened: Sendable {
    let client: ControlClient
    let session: String
  }

  private static let pause = Duration.milliseconds(200)

  let address: HostAddress
  let params: OpenSession.Params

  /// Does something while the session is active; afterwards the sessions that it interrupted may resume.
  ///
  /// - Parameters:
  ///   - client: The first connection of the session.
  ///   - body: The work.
  /// - Returns: The result of the work.
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
      // A host that ends at this moment has closed the session itself, so errors are expected here.
      let end = DeactivateSession.Params(session: last.session, notifyOthers: true)
      _ = try? await last.client.call(DeactivateSession.self, end)
      _ = try? await last.client.call(CloseSession.self, .init(session: last.session))
      await last.client.close()
    }
    return try result.get()
  }

  /// Opens the session anew whenever the host is back, until it is cancelled.
  ///
  /// - Returns: The last session; nil while no host runs.
  private func keep(_ first: Opened) async -> Opened? {
    var opened = first
    while true {
      // The notifications end with the connection, or with this task.
      for await _ in opened.client.notifications {}
      if Task.isCancelled { return opened }
      await opened.client.close()
      Terminal.complain("the host is gone; the session will be opened again when the host is back")
      guard let next = await reopened() else { return nil }
      opened = next
    }
  }

  private func reopened() async -> Opened? {
    while !Task.isCancelled {
      do {
        let client = try await ControlClient.connect(to: address)
        do {
          let session = try await client.call(OpenSession.self, params).session
          await activate(session, client)
          return Opened(client: client, session: session)
        } catch {
          // The host is not ready yet, or is gone again.
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
      Terminal.complain("session '\(session)' is open but cannot be activated: \(error)")
    }
  }
}

/// Runs a program and waits for its end.
enum ChildProgram {
  /// Runs a program to its end, and passes SIGINT and SIGTERM on to it.
  ///
  /// - Parameter words: Its name or path, and its arguments.
  /// - Returns: Its exit status; 128 plus the signal's number if a signal ended it.
  /// - Throws: `ExitCode` if it cannot be started.
  ///
  /// [any-thread]
  static func run(_ words: [String]) async throws -> Int32 {
    let child: ChildProcess
    do throws(SystemError) {
      child = try ChildProcess.start(
        words[0],
        Array(words.dropFirst()),
        bond: .foreground,
        input: .inherited,
        output: .inherited,
        errors: .inherited,
      )
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode(error.code == ENOENT ? 127 : 126)
    }
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let passing = Task {
      for await signal in signals { child.send(signal.rawValue) }
    }
    defer { passing.cancel() }
    let exit = await child.exit(within: nil)
    return exit?.shellCode ?? 0
  }
}
