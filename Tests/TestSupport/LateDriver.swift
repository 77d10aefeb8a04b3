// SPDX-License-Identifier: MIT

internal import Logging
internal import Synchronization
internal import Testing

/// The log of a test's JACK server, which counts the cycles that its driver began late.
///
/// The dummy driver wakes up by itself. It is late where the machine did not wake it, or on a synchronous server where a
/// client took longer than a period.
struct DriverLog: LogHandler {
  private static let late = Atomic<Int>(0)

  /// How many cycles the drivers of all test servers of this process have begun late.
  static var lateCycles: Int { late.load(ordering: .relaxed) }

  private var base: StreamLogHandler

  init(label: String) { base = .standardError(label: label) }

  var logLevel: Logger.Level {
    get { base.logLevel }
    set { base.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    // Of jackd2's JackTimedDriver.cpp.
    if "\(event.message)".contains("JackTimedDriver::Process XRun") {
      Self.late.wrappingAdd(1, ordering: .relaxed)
    }
    base.log(event: event)
  }
}

/// Tries a test again that failed while JACK's driver was late.
///
/// A cycle that JACK loses is a hole in each stream, whatever the program under test does. So such a try says nothing, and the
/// test has to pass in another one. A failure in a try without late cycles, or in the last try, counts. A condition that was waited for
/// in vain is waited for in one more try only: a machine can be late for so long, but a program that hangs would take all the time.
///
/// - Parameters:
///   - tries: How many at most.
///   - tell: Takes a line about each try that did not count.
///   - lateCycles: How many cycles the driver has begun late so far.
///   - body: One try.
/// - Throws: The error of the last try.
public func tryAgainWhereLate(
  atMost tries: Int = 3,
  tell: (String) -> Void = { announce("repeated", $0) },
  lateCycles: () -> Int = { TestServer.lateCycles },
  _ body: () async throws -> Void,
) async throws {
  for number in 1...tries {
    let found = Issues()
    let before = lateCycles()
    try await withKnownIssue("the \(number). try", isIntermittent: true) {
      try await body()
    } when: {
      number < tries
    } matching: { issue in
      guard !(issue.error is TestFailure) || number == 1 else { return false }
      found.add(issue)
      return true
    }
    guard let first = found.all.first else { return }
    let late = lateCycles() - before
    guard late > 0 else { return found.all.forEach(record) }
    tell("JACK's driver was late \(late) times: \(first)")
  }
}

/// Records an issue that was taken for a known one.
private func record(_ issue: Issue) {
  Issue.record("\(issue)", sourceLocation: issue.sourceLocation ?? #_sourceLocation)
}

/// The issues of a try.
private final class Issues: Sendable {
  private let list = Mutex<[Issue]>([])

  var all: [Issue] { list.withLock { $0 } }

  func add(_ issue: Issue) { list.withLock { $0.append(issue) } }
}
