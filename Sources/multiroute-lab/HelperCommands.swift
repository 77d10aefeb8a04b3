// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import LatencyLab
import Logging
import UnixSignals

/// `bench bridge-card`: the playing end of `bench bridge` when the card is measured without a bridge.
struct BridgeCardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge-card",
    abstract: "Play a tone and impulses to an ALSA device, with the time of each wake-up.",
    shouldDisplay: false,
  )

  @Option(help: "The ALSA device.")
  var device: String

  @Option(help: "Its rate in Hz.")
  var rate: Int

  @Option(help: "Its period in frames.")
  var frames: Int

  @Option(help: "The duration in seconds.")
  var seconds: Double

  @Option(help: "The file to write.")
  var out: String

  func run() throws {
    Log.begin(at: .warning)
    do throws(LabError) {
      try CardPlayer.run(
        deviceName: device,
        rateHz: rate,
        periodFrames: frames,
        seconds: seconds,
        path: out,
      )
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.unavailable
    }
  }
}

/// `bench bridge-recorder`: the listening end of `bench bridge`.
struct BridgeRecorderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge-recorder",
    abstract: "Record two ports, with the time of each cycle.",
    shouldDisplay: false,
  )

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "The duration in seconds.")
  var seconds: Double

  @Option(help: "The file to write.")
  var out: String

  @Argument(help: "The two output ports.")
  var ports: [String]

  func run() async throws {
    Log.begin(at: .warning)
    do throws(LabError) {
      try await BridgeRecorder.run(ports: ports, server: server, seconds: seconds, path: out)
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.unavailable
    }
  }
}

/// `bench pass-through-client`: the bare client that `bench node` compares nodes with.
struct PassThroughClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pass-through-client",
    abstract: "Run a JACK client that hands one channel on, until it is ended.",
    shouldDisplay: false,
  )

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "The name of the client.")
  var name = "through"

  func run() async throws {
    try await UntilSignalled.run { [name, server] () async throws(LabError) in
      try await PassThroughClient.run(name: name, server: server)
    }
  }
}

/// `bench crowd-client`: one client of the crowd of `bench adoption`.
struct CrowdClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crowd-client",
    abstract: "Run a JACK client that connects itself to the loudspeakers, until it is ended.",
    shouldDisplay: false,
  )

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "The name of the client.")
  var name: String

  @Option(help: "The level that it plays, linear.")
  var level: Float

  func run() async throws {
    try await UntilSignalled.run { [name, server, level] () async throws(LabError) in
      try await CrowdClient.run(name: name, server: server, levelLinear: level)
    }
  }
}

/// Helper clients that run until a signal ends them.
private enum UntilSignalled {
  /// Runs a body until it returns, or until SIGINT or SIGTERM cancels it.
  ///
  /// - Parameter body: The work; throws `cancelled` when it is cancelled.
  /// - Throws: Status 69 with the fault on standard error.
  static func run(_ body: @escaping @Sendable () async throws(LabError) -> Void) async throws {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let work = Task { () -> LabError? in
      do throws(LabError) {
        try await body()
        return nil
      } catch {
        return error.code == .cancelled ? nil : error
      }
    }
    let cancelling = Task {
      for await _ in signals { work.cancel() }
    }
    defer { cancelling.cancel() }
    if let error = await work.value {
      Terminal.complain("error: \(error)")
      throw ExitCode.unavailable
    }
  }
}
