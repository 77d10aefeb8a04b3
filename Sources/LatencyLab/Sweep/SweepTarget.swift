// SPDX-License-Identifier: MIT

import CRealtime
import Glibc
import JACK
import Logging

/// The servers that a sweep measures on.
///
/// Belongs to the control thread.
enum SweepTarget {
  /// A new server for each point.
  case ownServers
  /// A server that runs already, its size before, and a client to change it with.
  case running(RunningServer)

  /// Holds the client of a running server.
  ///
  /// Belongs to the control thread.
  final class RunningServer {
    let name: String?
    private let originalFrames: UInt32
    private let connection: ClientConnection
    private let sizing: (any ForeignBufferSizing)?
    /// Active, because PipeWire announces a new size to active clients only.
    private let client: LabClient<EmptyClientState>

    init(name: String?, sizing: (any ForeignBufferSizing)?) throws(LabError) {
      self.name = name
      self.sizing = sizing
      client = try unsafe LabClient(
        name: "multiroute-bench-sweep",
        server: name,
        process: emptyClientProcess,
      ) { _ in EmptyClientState() }
      let connection = client.connection
      self.connection = connection
      originalFrames = try LabError.wrapping { () throws(JACKError) in
        try connection.bufferFrames
      }
    }

    /// Sets the size and waits for it, as PipeWire does it later.
    func setBufferFrames(_ frames: Int) async throws(LabError) {
      if let sizing {
        do {
          try await sizing.set(bufferFrames: frames)
        } catch {
          throw LabError(.jack, "\(error)")
        }
      } else {
        try LabError.wrapping { () throws(JACKError) in
          try connection.setBufferFrames(UInt32(frames))
        }
      }
      for _ in 0..<Self.patience {
        let now = try LabError.wrapping { () throws(JACKError) in try connection.bufferFrames }
        if now == frames { return }
        try await LabError.sleep(.milliseconds(20))
      }
    }

    /// Leaves the server as it was found.
    func finish() async {
      if let sizing {
        await sizing.giveBack()
      } else {
        // A server that is gone has no size to restore.
        try? connection.setBufferFrames(originalFrames)
      }
      client.close()
    }

    private static let patience = 50
  }

  init(_ options: SweepBenchmark.Options) throws(LabError) {
    switch options.target {
    case .dummyServers:
      self = .ownServers
    case .runningServer(let name):
      self = .running(try RunningServer(name: name, sizing: options.bufferSizing))
    }
  }

  /// Brings the server to the point's values and measures.
  func measure(
    _ point: SweepPoint,
    _ options: SweepBenchmark.Options,
    _ progress: @Sendable @escaping (Double) -> Void,
  ) async throws(LabError) -> BenchRecord {
    switch self {
    case .running(let server):
      try await server.setBufferFrames(point.bufferFrames)
      return try await SweepMeasurement.run(
        point,
        options: options,
        server: server.name,
        notes: [],
        progress: progress,
      )
    case .ownServers:
      // jackd's output is in the error when it fails; its xruns are in the record.
      let quiet = Logger(label: "jackd") { _ in SwiftLogNoOpLogHandler() }
      let server = ServerProcess(Self.configuration(of: point), logger: quiet)
      do throws(JACKError) {
        try await server.start()
      } catch {
        await Self.stop(server)
        throw LabError(error)
      }
      do throws(LabError) {
        let notes = server.realtimeFallbackReason.map { ["no real-time scheduling: \($0)"] } ?? []
        let record = try await SweepMeasurement.run(
          point,
          options: options,
          server: server.configuration.name,
          notes: notes,
          progress: progress,
        )
        await Self.stop(server)
        return record
      } catch {
        await Self.stop(server)
        throw error
      }
    }
  }

  /// Leaves a running server as it was found.
  func finish() async {
    guard case .running(let server) = self else { return }
    await server.finish()
  }

  /// Stops a server to the end, though the task be cancelled.
  private static func stop(_ server: ServerProcess) async {
    _ = await Task.detached { await server.stop() }.value
  }

  private static func configuration(of point: SweepPoint) -> ServerConfiguration {
    ServerConfiguration(
      name: "multiroute-sweep-\(getpid())",
      driver: .dummy,
      sampleRateHz: UInt32(point.sampleRateHz ?? 48_000),
      periodFrames: UInt32(point.bufferFrames),
      isSynchronous: point.isSynchronous ?? true,
      captureChannels: 2,
      playbackChannels: 2,
    )
  }
}
