// SPDX-License-Identifier: MIT

import JACK

/// A JACK client with the state of its audio thread.
///
/// Not for sharing: one task opens, uses and closes it.
///
/// Belongs to the control thread.
@safe
final class LabClient<State: ~Copyable> {
  /// The connection to the server.
  let connection: ClientConnection
  /// The state; the audio thread writes what its own comments say.
  let state: UnsafeMutablePointer<State>
  private var active: ActiveClient?

  /// Opens a client and joins the graph.
  ///
  /// - Parameters:
  ///   - name: The client's name; JACK may change it.
  ///   - server: The server's name; nil takes the default one.
  ///   - process: The callback, called with a pointer to the state.
  ///   - makeState: Registers ports and makes the state.
  /// - Throws: ``LabError`` `jack`.
  init(
    name: String,
    server: String?,
    process: ProcessFunction,
    makeState: (ClientConnection) throws(JACKError) -> State,
  ) throws(LabError) {
    do throws(JACKError) {
      let opened = try OpenedClient.open(name: name, server: server)
      connection = opened.connection
      let made = try makeState(connection)
      unsafe state = .allocate(capacity: 1)
      unsafe state.initialize(to: made)
      do throws(JACKError) {
        active = try unsafe opened.activate(
          process: process,
          context: UnsafeMutableRawPointer(state)
        )
      } catch {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
        throw error
      }
    } catch {
      throw LabError(error)
    }
  }

  deinit { close() }

  /// Leaves the graph; the state is gone then.
  func close() {
    guard let active = active.take() else { return }
    // After a close that hangs, a callback may still run, so its memory stays.
    guard active.close() != .timedOut else { return }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}

extension LabError {
  /// A failed JACK call as an error of the lab.
  init(_ error: JACKError) { self.init(.jack, error.advice) }

  /// Runs JACK calls, their errors becoming errors of the lab.
  static func wrapping<Value>(
    _ body: () throws(JACKError) -> Value,
  ) throws(LabError) -> Value {
    do throws(JACKError) {
      return try body()
    } catch {
      throw LabError(error)
    }
  }

  /// Waits, unless the task is cancelled.
  static func sleep(_ duration: Duration) async throws(LabError) {
    do {
      try await Task.sleep(for: duration)
    } catch {
      throw LabError(.cancelled, "the measurement was cancelled")
    }
  }
}
