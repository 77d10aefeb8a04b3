// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK

extension Host {
  /// Preferred and actual values side by side (HW-3).
  func hardwareStatus() -> HardwareStatus {
    let rate = hardware.sampleRateHz
    let actualRate = rate > 0 ? Double(rate) : nil
    let frames = hardware.bufferFrames
    let duration = preference.ioBuffer?.durationSeconds(atSampleRateHz: max(1, rate))
    return HardwareStatus(
      sampleRate: HardwareValue(
        preferred: preference.sampleRateHz.map(Double.init),
        actual: actualRate,
        reason: hardware.sampleRateReason,
        unit: "Hz",
      ),
      ioBufferDuration: HardwareValue(
        preferred: duration,
        actual: actualRate.map { Double(frames) / $0 },
        reason: hardware.bufferReason,
        unit: "s",
      ),
      ioBufferFrames: HardwareValue(
        preferred: preference.ioBuffer.map { Double($0.frames(atSampleRateHz: max(1, rate))) },
        actual: frames > 0 ? Double(frames) : nil,
        reason: hardware.bufferReason,
        unit: "frames",
      ),
      inputLatency: latencyValue(inputLatencyFrames(), "from JACK's ranges of the inputs"),
      outputLatency: latencyValue(outputLatencyFrames(), "from JACK's ranges of the routes"),
      inputChannels: channelValue(
        preference.inputChannels,
        actual: hardwarePorts(facing: .intoHost).count,
      ),
      outputChannels: channelValue(
        preference.outputChannels,
        actual: hardwarePorts(facing: .outOfHost).count,
      ),
    )
  }

  private func latencyValue(_ frames: UInt32?, _ reason: String) -> HardwareValue {
    guard let frames, hardware.sampleRateHz > 0 else {
      return HardwareValue(preferred: nil, actual: nil, reason: "not connected", unit: "s")
    }
    return HardwareValue(
      preferred: nil,
      actual: Double(frames) / Double(hardware.sampleRateHz),
      reason: "\(frames) frames, \(reason)",
      unit: "s",
    )
  }

  private func channelValue(_ preferred: Int?, actual: Int) -> HardwareValue {
    let reason: String? =
      switch preferred {
      case nil: nil
      case let wanted? where wanted == actual: "as preferred"
      case let wanted? where wanted < actual: "the server offers more"
      default: "the server offers no more"
      }
    return HardwareValue(
      preferred: preferred.map(Double.init),
      actual: Double(actual),
      reason: reason,
      unit: "",
    )
  }

  /// The ports that stand for hardware: those that say so, and those that the graph uses as routes
  /// (PipeWire's virtual devices do not say so).
  private func hardwarePorts(facing direction: ConnectionRule.Direction) -> Set<String> {
    let routes = configuration.graph.routes.flatMap { route -> [String] in
      switch (route.direction, direction) {
      case (.output, .outOfHost): keeper.foundPorts(of: route.name)
      case (.input, .intoHost): inputPorts(of: route)
      default: []
      }
    }
    return Set(keeper.ports.physical(facing: direction)).union(routes)
  }

  /// The longest way from a device to a strip.
  private func inputLatencyFrames() -> UInt32? {
    guard let presence else { return nil }
    let hardware = hardwarePorts(facing: .intoHost)
    let connected = keeper.connections.filter { hardware.contains($0.source) }.map(\.source)
    return Set(connected)
      .compactMap { try? presence.mix.latencyRange(ofPort: $0, .capture).maxFrames }
      .max()
  }

  /// The longest way from a route to its device.
  private func outputLatencyFrames() -> UInt32? {
    guard let presence else { return nil }
    return presence.mixPorts.routes.flatMap(\.ports)
      .compactMap { try? presence.mix.latencyRange(of: $0, .playback).maxFrames }
      .max()
  }
}
