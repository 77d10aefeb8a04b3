// SPDX-License-Identifier: MIT

import Glibc
import JACK
import Logging

/// Dummy servers that measurements start for themselves.
///
/// Belongs to the control thread.
enum OwnServer {
  /// Runs a measurement on a server, which ends with it, though the task be cancelled.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the server.
  ///   - body: The measurement; gets the server's process.
  /// - Returns: The result of the measurement.
  /// - Throws: ``LabError`` `jack` where the server does not start, or the measurement's own.
  static func run<Value: Sendable>(
    _ configuration: ServerConfiguration,
    _ body: (ServerProcess) async throws(LabError) -> Value,
  ) async throws(LabError) -> Value {
    // jackd's output is in the error when it fails; the benchmarks count its xruns.
    let quiet = Logger(label: "jackd") { _ in SwiftLogNoOpLogHandler() }
    let server = ServerProcess(configuration, logger: quiet)
    let outcome: Result<Value, LabError>
    do throws(JACKError) {
      try await server.start()
      do throws(LabError) {
        outcome = .success(try await body(server))
      } catch {
        outcome = .failure(error)
      }
    } catch {
      outcome = .failure(LabError(error))
    }
    _ = await Task.detached { await server.stop() }.value
    return try outcome.get()
  }

  /// Measures on a rig, and ends that, though the measurement fail.
  ///
  /// - Parameters:
  ///   - rig: The rig.
  ///   - body: The measurement.
  /// - Returns: The result of the measurement.
  /// - Throws: The measurement's own ``LabError``.
  static func measure<Rig: BenchRig, Value>(
    on rig: Rig,
    _ body: (Rig) async throws(LabError) -> Value,
  ) async throws(LabError) -> Value {
    let outcome: Result<Value, LabError>
    do throws(LabError) {
      outcome = .success(try await body(rig))
    } catch {
      outcome = .failure(error)
    }
    await rig.close()
    return try outcome.get()
  }

  /// A dummy server with two inputs and two outputs, under a name of this process and purpose.
  static func configuration(
    _ purpose: String,
    sampleRateHz: Int = 48_000,
    periodFrames: Int = 64,
    isRealtime: Bool = true,
    isSynchronous: Bool = true,
  ) -> ServerConfiguration {
    ServerConfiguration(
      name: "\(purpose)-\(getpid())",
      driver: .dummy,
      sampleRateHz: UInt32(sampleRateHz),
      periodFrames: UInt32(periodFrames),
      isRealtime: isRealtime,
      isSynchronous: isSynchronous,
      captureChannels: 2,
      playbackChannels: 2,
    )
  }
}

/// The programs and clients of a measurement. [control-thread]
protocol BenchRig {
  /// Ends all of them.
  func close() async
}
