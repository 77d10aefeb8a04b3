// SPDX-License-Identifier: MIT

public import JACK

/// What a test could not get.
public struct TestFailure: Error, CustomStringConvertible {
  /// What was missing.
  public let description: String

  /// Makes a failure.
  public init(_ description: String) {
    self.description = description
  }
}

/// Waits until `condition` holds.
///
/// - Parameters:
///   - what: For the error.
///   - limit: How long to wait; generous, as it costs nothing when all is well.
///   - interval: How often to look; seldom where that is work, and what is tested needs the processors.
///   - file: Where it is waited for, for the error.
///   - line: Where it is waited for, for the error.
///   - condition: What to wait for.
/// - Throws: ``TestFailure`` when the time is over; whatever `condition` throws.
public func waitUntil(
  _ what: String,
  within limit: Duration = .seconds(30),
  every interval: Duration = .milliseconds(2),
  file: String = #fileID,
  line: Int = #line,
  _ condition: () async throws -> Bool,
) async throws {
  let deadline = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < deadline else {
      throw TestFailure("\(file):\(line): not within \(limit): \(what)")
    }
    try await Task.sleep(for: interval)
  }
}

/// Waits for the first notification that fits, and drops those before it.
///
/// - Parameters:
///   - what: For the error.
///   - stream: The notifications of a client.
///   - limit: How long to wait.
///   - fits: Gives a value for the notification waited for, nil for others.
/// - Returns: The value.
/// - Throws: ``TestFailure`` when the time is over or the stream has ended.
public func firstNotification<Value: Sendable>(
  _ what: String,
  in stream: AsyncStream<ClientNotification>,
  within limit: Duration = .seconds(30),
  _ fits: @escaping @Sendable (ClientNotification) -> Value?,
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask {
      for await notification in stream {
        if let value = fits(notification) { return value }
      }
      return nil
    }
    group.addTask {
      try await Task.sleep(for: limit)
      return nil
    }
    let first = try await group.next() ?? nil
    group.cancelAll()
    guard let first else { throw TestFailure("not within \(limit): \(what)") }
    return first
  }
}
