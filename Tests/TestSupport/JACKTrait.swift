// SPDX-License-Identifier: MIT

internal import Synchronization
public import Testing

/// Gives a test a JACK server of its own, as `TestServer.current`, and keeps other such tests
/// waiting.
///
/// A process can be the client of one server at a time, and all tests run in one process.
public struct JACKServerTrait: TestTrait, SuiteTrait, TestScoping {
  /// A suite hands the trait on to each of its tests.
  public var isRecursive: Bool { true }

  /// A server of either kind.
  enum Server: Sendable {
    case dummy(TestServer)
    case stepped(SteppedServer)

    var stepped: SteppedServer? { if case .stepped(let server) = self { server } else { nil } }

    var testServer: TestServer {
      switch self {
      case .dummy(let server): server
      case .stepped(let server): server.server
      }
    }

    func stop() async {
      switch self {
      case .dummy(let server): await server.stop()
      case .stepped(let server): await server.stop()
      }
    }
  }

  let start: (@Sendable () async throws -> Server)?

  /// The trait has a part in both: the test waits for its turn, each case has a server.
  ///
  /// A test's time limit counts its cases only, not the wait.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> JACKServerTrait? {
    test.isSuite ? nil : self
  }

  /// Runs the test while its server runs.
  ///
  /// - Throws: The error of the test, or of the start of the server.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void,
  ) async throws {
    let turn = testCase == nil ? Turn.ofTests : Turn.ofCases
    await turn.wait()
    defer { turn.pass() }
    guard testCase != nil else { return try await function() }
    guard let server = try await start?() else { return try await function() }
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await TestServer.$current.withValue(server.testServer) {
          try await SteppedServer.$current.withValue(server.stepped) { try await function() }
        }
      )
    } catch {
      result = .failure(error)
    }
    await server.stop()
    try result.get()
  }
}

extension Trait where Self == JACKServerTrait {
  /// A dummy server with these settings runs while the test does.
  ///
  /// - Parameters:
  ///   - rate: The sample rate in Hz.
  ///   - frames: The length of the period.
  ///   - synchronous: Whether it waits for all clients in each cycle.
  ///   - channels: The number of hardware inputs, and of outputs.
  ///   - extraArguments: Further arguments for jackd.
  /// - Returns: The trait.
  public static func jackServer(
    rate: UInt32 = 48_000,
    frames: UInt32 = 256,
    synchronous: Bool = true,
    channels: Int = 2,
    extraArguments: [String] = [],
  ) -> JACKServerTrait {
    JACKServerTrait {
      .dummy(
        try await TestServer.start(
          rate: rate,
          frames: frames,
          synchronous: synchronous,
          channels: channels,
          extraArguments: extraArguments,
        )
      )
    }
  }

  /// A stepped server with these settings runs while the test does; ``steppedServer()`` gives it.
  ///
  /// - Parameters:
  ///   - rate: The sample rate in Hz.
  ///   - frames: The length of the period.
  ///   - channels: The number of hardware inputs, and of outputs.
  ///   - midi: Whether it has a MIDI port each way.
  ///   - timeLimitMilliseconds: The longest time of a client for a cycle.
  ///   - extraArguments: Further arguments for jackd.
  /// - Returns: The trait.
  public static func steppedServer(
    rate: UInt32 = 48_000,
    frames: UInt32 = 64,
    channels: Int = 2,
    midi: Bool = false,
    timeLimitMilliseconds: Int = 5_000,
    extraArguments: [String] = [],
  ) -> JACKServerTrait {
    JACKServerTrait {
      .stepped(
        try await SteppedServer.start(
          rate: rate,
          frames: frames,
          channels: channels,
          midi: midi,
          timeLimitMilliseconds: timeLimitMilliseconds,
          extraArguments: extraArguments,
        )
      )
    }
  }

  /// The only test with JACK at its time; it starts its servers itself.
  public static var aloneWithJACK: JACKServerTrait { JACKServerTrait(start: nil) }
}

extension TestServer {
  /// The server of the test's `.jackServer` or `.steppedServer` trait.
  @TaskLocal public static var current: TestServer?
}

extension SteppedServer {
  /// The server of the test's `.steppedServer` trait.
  @TaskLocal public static var current: SteppedServer?
}

/// The server that the test's `.jackServer` or `.steppedServer` trait has started.
///
/// - Returns: The server.
/// - Throws: ``TestFailure`` in a test without such a trait.
public func testServer() throws -> TestServer {
  guard let server = TestServer.current else {
    throw TestFailure("the test has no .jackServer or .steppedServer trait")
  }
  return server
}

/// The server that the test's `.steppedServer` trait has started, with its clock.
///
/// - Returns: The server.
/// - Throws: ``TestFailure`` in a test without the trait.
public func steppedServer() throws -> SteppedServer {
  guard let server = SteppedServer.current else {
    throw TestFailure("the test has no .steppedServer trait")
  }
  return server
}

/// Lets one after the other run.
private final class Turn: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  static let ofTests = Turn()
  static let ofCases = Turn()

  private let state = Mutex(State())

  func wait() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken {
          state.waiting.append(continuation)
          return false
        }
        state.isTaken = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func pass() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
