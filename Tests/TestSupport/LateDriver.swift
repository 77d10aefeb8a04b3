// SPDX-License-Identifier: MIT

internal import Logging
internal import Synchronization
internal import Testing

/// The log of a test's JACK server, which counts the cycles that its driver began late.
///
/// The dummy driver wakes up by itself. It is late where the machine did not wake it, or on a synchronous server where a
/// client took longer than a period.
struct DriverLog: LogHandler {
  /// How often the driver was late.
  final class LateCycles: Sendable {
    private let value = Atomic<Int>(0)

    var count: Int { value.load(ordering: .relaxed) }

    fileprivate func add() { value.wrappingAdd(1, ordering: .relaxed) }
  }

  let late: LateCycles
  private var base: StreamLogHandler

  init(label: String, late: LateCycles) {
    self.late = late
    base = .standardError(label: label)
  }

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
    if "\(event.message)".contains("JackTimedDriver::Process XRun") { late.add() }
    base.log(event: event)
  }
}

/// Tries a test again that failed while JACK's driver was late.
///
/// A cycle that JACK loses is a hole in each stream, whatever the program under test does. So such a try says nothing, and the
/// test has to pass in another one. A failure in a try without late cycles, or in the last try, counts.
///
/// - Parameters:
///   - tries: How many at most.
///   - tell: Takes a line about each try that did not count.
///   - body: One try; returns its error, and how many cycles the driver began late.
/// - Throws: The error of the last try.
public func tryAgainWhereLate(
  atMost tries: Int = 3,
  tell: (String) -> Void = { announce("repeated", $0) },
  _ body: () async -> (result: Result<Void, any Error>, lateCycles: Int),
) async throws {
  for number in 1...tries {
    let found = Issues()
    var lateCycles = 0
    try await withKnownIssue("the \(number). try", isIntermittent: true) {
      let outcome = await body()
      lateCycles = outcome.lateCycles
      try outcome.result.get()
    } when: {
      number < tries
    } matching: { issue in
      found.add(issue)
      return true
    }
    guard let first = found.all.first else { return }
    guard lateCycles > 0 else { return found.all.forEach(record) }
    tell("JACK's driver was late \(lateCycles) times: \(first)")
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
