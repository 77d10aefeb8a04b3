// SPDX-License-Identifier: MIT

public import JACK

/// A condition that a test waited for in vain, or a tool that it lacks.
public struct TestFailure: Error, CustomStringConvertible {
  /// The condition or the tool.
  public let description: String

  /// Makes a failure.
  public init(_ description: String) {
    self.description = description
  }
}

/// Waits until `condition` holds: the one place where tests look again and again.
///
/// Tests wait here for the effects of notifications, ends of processes and other events. They sleep only
/// where a comment says which time has to pass.
///
/// - Parameters:
///   - what: The condition in words, for the error.
///   - limit: The longest wait; generous, because a passing test does not use it. A host's start beside `stress-ng --cpu 4` takes up to
///     25 s: each of its requests waits for a thread of jackd that has no priority.
///   - interval: The time between two looks; long where a look takes processor time from the program under test.
///   - file: Where it is waited for, for the error.
///   - line: Where it is waited for, for the error.
///   - condition: The condition to wait for.
/// - Throws: ``TestFailure`` when the time is over; whatever `condition` throws.
public func waitUntil(
  _ what: String,
  within limit: Duration = .seconds(60),
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
    // The interval between two looks.
    try await Task.sleep(for: interval)
  }
}

/// Waits for the first notification that fits, and drops those before it.
///
/// - Parameters:
///   - what: The condition in words, for the error.
///   - stream: The notifications of a client.
///   - limit: How long to wait.
///   - fits: Gives a value for the notification waited for, nil for others.
/// - Returns: The value.
/// - Throws: ``TestFailure`` when the time is over or the stream has ended.
public func firstNotification<Value: Sendable>(
  _ what: String,
  in stream: AsyncStream<ClientNotification>,
  within limit: Duration = .seconds(60),
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
      // The time limit, which ends with the first notification.
      try await Task.sleep(for: limit)
      return nil
    }
    let first = try await group.next() ?? nil
    group.cancelAll()
    guard let first else { throw TestFailure("not within \(limit): \(what)") }
    return first
  }
}

extension Recorder {
  /// Waits until this client has heard `frames` more frames: audio that must go on, or stay away, for so long.
  ///
  /// - Parameters:
  ///   - frames: How many, captured or not.
  ///   - limit: How long to wait; much longer than the frames last.
  /// - Throws: ``TestFailure`` when the time is over.
  public func pass(_ frames: Int, within limit: Duration = .seconds(60)) async throws {
    let end = heardFrames + frames
    try await waitUntil(
      "\(connection.name) has heard \(frames) more frames",
      within: limit,
      every: .milliseconds(5),
    ) { heardFrames >= end }
  }
}

/// Waits until a server has run for `frames` more frames, in a test without a recorder there.
///
/// - Parameters:
///   - frames: How many.
///   - server: The server's name.
/// - Throws: ``TestFailure`` when it does not run; ``JACKError`` when it is not there.
public func passFrames(_ frames: Int, on server: String) async throws {
  let clock = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "clock")
  defer { clock.close() }
  try await clock.pass(frames)
}
