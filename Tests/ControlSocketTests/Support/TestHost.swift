// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import Logging
import Synchronization

/// A control server with a small handler that records its requests.
final class TestHost: Sendable {
  let server: ControlServer
  let directory: TemporaryDirectory
  let record: Record
  let log: LogRecord

  /// The handler's requests and notices.
  final class Record: Sendable {
    private let heard = Mutex(Heard())
    /// Ends when ``release()`` is called.
    fileprivate let (untilReleased, holding) = AsyncStream.makeStream(of: Never.self)

    struct Heard {
      var begun: [String] = []
      var strips: [String] = []
      var left: [ConnectionID] = []
      var closed: [ConnectionID] = []
      var demands: [SubscriptionDemand] = []
    }

    var begun: [String] { heard.withLock { $0.begun } }
    var strips: [String] { heard.withLock { $0.strips } }
    var left: [ConnectionID] { heard.withLock { $0.left } }
    var closed: [ConnectionID] { heard.withLock { $0.closed } }
    var demands: [SubscriptionDemand] { heard.withLock { $0.demands } }

    func add(_ change: (inout Heard) -> Void) { heard.withLock { change(&$0) } }

    /// Lets requests for the strip "held" go on.
    func release() { holding.finish() }
  }

  private init(server: ControlServer, directory: TemporaryDirectory, record: Record, log: LogRecord)
  {
    self.server = server
    self.directory = directory
    self.record = record
    self.log = log
  }

  /// Starts a host in a new directory, with limits as wanted.
  static func start(
    name: String = "test",
    limits: (inout ControlServerConfiguration.Limits) -> Void = { _ in },
    extending: (ControlRouter) -> ControlRouter = { $0 },
  ) async throws -> TestHost {
    let directory = try TemporaryDirectory()
    let record = Record()
    let log = LogRecord()
    var configuration = ControlServerConfiguration(
      hostName: name,
      hostVersion: "1.2.3",
      directory: directory.path,
    )
    limits(&configuration.limits)
    let server = try await ControlServer.start(
      configuration,
      handler: extending(router(record)),
      logger: log.logger,
    )
    return TestHost(server: server, directory: directory, record: record, log: log)
  }

  /// `setSolo` writes the strip down; the strip "slow" takes 50 ms, "held" waits until it is released, "bad" is unknown.
  private static func router(_ record: Record) -> ControlRouter {
    ControlRouter()
      .on(SetSolo.self) { params, _ throws(ControlError) in
        record.add { $0.begun.append(params.strip) }
        // The time of a slow handler.
        if params.strip == "slow" { try? await Task.sleep(for: .milliseconds(50)) }
        if params.strip == "held" { for await _ in record.untilReleased {} }
        if params.strip == "bad" { throw .unknownStrip("bad", known: ["a", "slow"]) }
        record.add { $0.strips.append(params.strip) }
        return Applied(frame: 1)
      }
      .on(Stop.self) { _, _ in NoResult() }
      .onClientLeft { id in record.add { $0.left.append(id) } }
      .onConnectionClosed { id in record.add { $0.closed.append(id) } }
      .onSubscriptionsChanged { demand in record.add { $0.demands.append(demand) } }
  }

  /// The error with which the server refuses a connection.
  ///
  /// - Throws: A failure where it is not refused.
  func refusal() async throws -> ControlError {
    do {
      await (try await client()).close()
    } catch let error as ControlClientError {
      guard case .refused(let refusal) = error.code else { throw error }
      return refusal
    }
    throw ControlError(.internalError, message: "the connection was not refused")
  }

  /// Connects a client of this project, which by default has the patience of the programs of this project.
  func client(within limit: Duration = .seconds(5)) async throws -> ControlClient {
    try await ControlClient.connect(to: .path(server.path), clientName: "test", timeout: limit)
  }

  /// Connects a client that sends raw bytes.
  func rawClient() throws -> RawClient { try RawClient(path: server.path) }
}

/// A directory that goes with its owner.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = "/tmp/mr-control-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A log that can be read.
final class LogRecord: Sendable {
  private let lines = Mutex<[String]>([])

  var text: String { lines.withLock { $0.joined(separator: "\n") } }

  var logger: Logger { Logger(label: "test") { _ in Handler(record: self) } }

  private struct Handler: LogHandler {
    let record: LogRecord
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    init(record: LogRecord) { self.record = record }
    func log(event: LogEvent) {
      record.lines.withLock { $0.append("\(event.level) \(event.message)") }
    }
  }
}

/// Waits until something becomes true; the suite's time limit ends a wait that is in vain.
func eventually(_ condition: () async throws -> Bool) async throws {
  // The interval between two looks.
  while try await !condition() { try await Task.sleep(for: .milliseconds(2)) }
}
