// SPDX-License-Identifier: MIT

internal import Logging

/// Asks a running PipeWire for a rate and a quantum through its settings metadata.
final class PipeWireSettings: ForeignServerSettings {
  let reason = "set through PipeWire's settings metadata"

  init(logger: Logger, environment: [String: String] = [:]) {}

  func force(sampleRateHz: Int?, bufferFrames: Int?) async throws(HostError) {
    fatalError("unwritten")
  }

  func giveBack() async { fatalError("unwritten") }
}
