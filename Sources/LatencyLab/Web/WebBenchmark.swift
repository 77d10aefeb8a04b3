// SPDX-License-Identifier: MIT

import FoundationEssentials
import JACK

/// `bench web`: the page in Chromium, from a fader's movement to the first sample that it changes, from another's change to its
/// picture, the cost of its meters, and the wait of the control socket behind many pages.
///
/// Runs on the task of its command: [control-thread].
public struct WebBenchmark: Sendable {
  /// The path of the `multiroute` program that is measured.
  public var program: String
  /// The path of the script that drives Chromium.
  public var script = "scripts/lib/drive-page"
  /// Number of movements, 1…10000.
  public var moves = 200
  /// Number of changes by another client, 1…500.
  public var changes = 200
  /// Number of strips, 2…64.
  public var strips = 32
  /// Number of pages at once, 0…40; 0 omits this part.
  public var clients = 20
  /// Seconds for which the meters are watched, 1…600.
  public var seconds = 10
  /// Number of blocks of 100 requests on the socket, with and without the pages, 1…1000.
  public var blocks = 10
  /// The server's period in frames.
  public var bufferFrames = 64
  /// The server's sample rate in Hz.
  public var sampleRateHz = 48_000

  /// Makes a benchmark of 200 movements and 200 changes, 32 strips and 20 pages at 64 frames and 48 kHz.
  ///
  /// - Parameter program: The path of the `multiroute` program.
  public init(program: String) { self.program = program }

  /// Runs it on a dummy server of its own.
  ///
  /// - Parameter progress: Called before each step.
  /// - Returns: The record; its notes tell which bars are cleared.
  /// - Throws: ``LabError`` `badOption`, `jack`, `host`, `tool` or `cancelled`.
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> BenchRecord {
    try check()
    let startedAt = Date()
    let configuration = OwnServer.configuration(
      "web-cost",
      sampleRateHz: sampleRateHz,
      periodFrames: bufferFrames,
    )
    return try await OwnServer.run(configuration) { server async throws(LabError) in
      let rig = try await WebRig(self, server: server.configuration.name)
      return try await OwnServer.measure(on: rig) { rig async throws(LabError) in
        try await measure(rig, progress).record(self, startedAt: startedAt)
      }
    }
  }

  private func check() throws(LabError) {
    let options = [
      ("moves", moves, 1...10_000), ("changes", changes, 1...500), ("strips", strips, 2...64),
      ("clients", clients, 0...40),
      ("seconds", seconds, 1...600), ("blocks", blocks, 1...1_000),
    ]
    for (name, value, allowed) in options where !allowed.contains(value) {
      throw LabError(
        .badOption,
        "\(name) is \(value), allowed is \(allowed.lowerBound) to \(allowed.upperBound)"
      )
    }
  }

  private func measure(
    _ rig: WebRig,
    _ progress: BenchProgress.Handler,
  ) async throws(LabError) -> WebReadings {
    var readings = WebReadings()
    let rounds = (moves + Self.movesOfRound - 1) / Self.movesOfRound
    let blocks = clients > 0 ? blocks : 0
    let steps = rounds + (changes + Self.movesOfRound - 1) / Self.movesOfRound + 1 + blocks
    let companies: [WebReadings.Company] = [.none, .pages, .streams]
    for round in 0..<rounds {
      progress(BenchProgress(round: round, of: steps, label: "movements"))
      let count = min(Self.movesOfRound, moves - round * Self.movesOfRound)
      readings.add(try await rig.move(count))
    }
    for start in stride(from: 0, to: changes, by: Self.movesOfRound) {
      let step = rounds + start / Self.movesOfRound
      progress(BenchProgress(round: step, of: steps, label: "changes"))
      readings.add(try await rig.change(start..<min(start + Self.movesOfRound, changes)))
    }
    progress(BenchProgress(round: steps - 1 - blocks, of: steps, label: "meters"))
    readings.meters = try await rig.page.ask("watch \(seconds)", PageDriver.Meters.self)
    for block in 0..<blocks {
      progress(BenchProgress(round: steps - blocks + block, of: steps, label: "pages"))
      // Turn about, so that a slow minute of the machine is in all; the streams repeat what the pages of before have received.
      for company in block.isMultiple(of: 2) ? companies : companies.reversed() {
        _ = try await rig.page.ask(company.command(clients), PageDriver.Done.self)
        // Those of opening and closing the links belong to no block.
        _ = rig.takeXruns()
        let times = try await rig.requests(Self.requestsOfBlock)
        readings.add(times, beside: company, xruns: rig.takeXruns())
      }
    }
    return readings
  }

  /// The movements or changes that the page's script tells in one line.
  private static let movesOfRound = 20
  private static let requestsOfBlock = 100
}
