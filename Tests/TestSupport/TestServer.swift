// SPDX-License-Identifier: MIT

internal import Glibc
public import JACK
internal import Synchronization
internal import Testing

/// A private JACK server with the dummy driver, for tests.
///
/// Its name is of this process and this server alone.
public final class TestServer: Sendable {
  /// The server itself.
  public let process: ServerProcess

  /// The name to open clients under.
  public var name: String { process.configuration.name }

  private let wasKilled = Atomic<Bool>(false)

  private static let serial = Atomic<Int>(0)

  private init(_ configuration: ServerConfiguration) {
    process = ServerProcess(configuration)
  }

  /// Starts a server and waits until it answers.
  ///
  /// - Parameters:
  ///   - rate: The sample rate in Hz.
  ///   - frames: The length of the period.
  ///   - synchronous: Whether it waits for all clients in each cycle.
  ///   - channels: The number of hardware inputs, and of outputs.
  ///   - extraArguments: Further arguments for jackd. Without a `-t` in them, a client of a synchronous server has a second for a
  ///     cycle: with the time that jackd gives it, 27 ms for 64 frames, a busy machine costs cycles.
  /// - Returns: The server.
  /// - Throws: ``JACKError`` when it does not start.
  public static func start(
    rate: UInt32 = 48_000,
    frames: UInt32 = 256,
    synchronous: Bool = true,
    channels: Int = 2,
    extraArguments: [String] = [],
  ) async throws -> TestServer {
    // A client has ten times as long for a cycle (DRIVER_TIMEOUT_FACTOR of JackDriver.h), and twice that where it was killed.
    // An asynchronous server calls nobody for as long as `-t` says where one client is late, which is two periods without it.
    let needsTimeLimit = synchronous && !extraArguments.contains { $0.hasPrefix("-t") }
    let configuration = ServerConfiguration(
      name: freshName(),
      driver: .dummy,
      sampleRateHz: rate,
      periodFrames: frames,
      isSynchronous: synchronous,
      captureChannels: channels,
      playbackChannels: channels,
      extraServerArguments: (needsTimeLimit ? ["-t", "100"] : []) + extraArguments,
    )
    return try await start(configuration)
  }

  /// A name that no other server has.
  static func freshName() -> String {
    "multiroute-test-\(getpid())-\(serial.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  static func start(_ configuration: ServerConfiguration) async throws -> TestServer {
    let server = TestServer(configuration)
    await ServerPlaces.reclaim()
    do {
      try await server.process.start(within: .seconds(60))
    } catch {
      ServerPlaces.forgetMetadata()
      throw error
    }
    return server
  }

  /// Ends the server.
  ///
  /// Clients of this process must be closed before the next one is used.
  public func stop() async {
    if wasKilled.exchange(false, ordering: .relaxed), !process.isRunning {
      // JACK has eight places for servers, and keeps that of a killed one until its name comes
      // again.
      try? await process.start()
    }
    if await process.stop(within: .seconds(60)) { return }
    let next = await outcomeOfNextStart()
    Issue.record("the server \(name) did not end, and was killed; \(next)")
    ServerPlaces.forgetMetadata()
  }

  /// Whether a server starts on the store of metadata that this one has left: not where it was locked for good.
  private func outcomeOfNextStart() async -> String {
    let next = ServerProcess(ServerConfiguration(name: "\(name)-next", driver: .dummy))
    do {
      try await next.start(within: .seconds(60))
      await next.stop()
      return "another one starts"
    } catch {
      return "another one does not start either (\(error)): JACK's store of metadata is locked"
    }
  }

  /// Stops all of the server where it is, as if it hung.
  public func hang() { if let pid = process.pid { _ = Glibc.kill(pid, SIGSTOP) } }

  /// Lets a server that was stopped go on.
  public func goOn() { if let pid = process.pid { _ = Glibc.kill(pid, SIGCONT) } }

  /// Ends the server as a crash would.
  ///
  /// - Throws: ``TestFailure`` when it does not end.
  public func kill() async throws {
    guard let pid = process.pid else { return }
    wasKilled.store(true, ordering: .relaxed)
    _ = Glibc.kill(pid, SIGKILL)
    try await waitUntil("the killed server is reaped") { !process.isRunning }
  }
}
