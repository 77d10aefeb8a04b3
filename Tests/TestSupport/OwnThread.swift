// SPDX-License-Identifier: MIT

internal import SystemSupport

/// Runs a body that may block on a thread of its own, and waits for it without blocking a thread.
///
/// All tasks of a process share one thread for each processor. A test that blocks one of them holds up the
/// tests beside it, and those parts of the program that they wait for. [any-thread]
///
/// - Parameter body: The work; the thread ends with it.
/// - Returns: The value of the body.
/// - Throws: The error of the body.
package func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await onOwnThread { Result(catching: body) }.get()
}

/// The same, for a body that throws nothing. [any-thread]
///
/// - Parameter body: The work; the thread ends with it.
/// - Returns: The value of the body.
package func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable () -> Value
) async -> Value {
  await BackgroundThread.value(name: "test, blocking", body)
}
