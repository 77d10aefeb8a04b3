// SPDX-License-Identifier: MIT

import Host
import LatencyLab
import Logging

/// Sweeps over a PipeWire's sizes through its settings: what a single JACK client asks for counts
/// only for the driver that PipeWire happens to give it.
struct PipeWireSizing: BufferSizing {
  private let settings = PipeWireSettings(logger: Logger(label: "pipewire"))

  func set(bufferFrames: Int) async throws {
    try await settings.force(sampleRateHz: nil, bufferFrames: bufferFrames)
  }

  func giveBack() async { await settings.giveBack() }
}
