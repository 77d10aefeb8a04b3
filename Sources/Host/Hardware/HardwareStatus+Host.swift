// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Patchbay
internal import ServerControl

extension HardwareStatus {
  /// Makes the status of the hardware of a host.
  ///
  /// - Parameters:
  ///   - preference: The graph's preferred values.
  ///   - hardware: The server's values.
  ///   - attachment: The host's clients; nil while the server is away.
  ///   - graph: The graph.
  /// - Returns: Preferred and actual values side by side.
  static func make(
    preference: ServerPreference,
    actual hardware: NegotiatedHardware,
    attachment: Attachment?,
    graph: GraphFile,
  ) -> HardwareStatus {
    HardwareStatusMaker(
      preference: preference,
      hardware: hardware,
      attachment: attachment,
      graph: graph,
    ).status
  }
}

/// Puts preferred and actual values side by side (HW-3).
private struct HardwareStatusMaker {
  let preference: ServerPreference
  let hardware: NegotiatedHardware
  let attachment: Attachment?
  let graph: GraphFile

  var status: HardwareStatus {
    let rate = hardware.sampleRateHz
    let actualRate = rate > 0 ? Double(rate) : nil
    let frames = hardware.bufferFrames
    let duration = preference.ioBuffer?.durationSeconds(atSampleRateHz: max(1, rate))
    return HardwareStatus(
      sampleRate: HardwareStatus.Value(
        preferred: preference.sampleRateHz.map(Double.init),
        actual: actualRate,
        reason: hardware.sampleRateReason,
        unit: .hertz,
      ),
      ioBufferDuration: HardwareStatus.Value(
        preferred: duration,
        actual: actualRate.map { Double(frames) / $0 },
        reason: hardware.bufferReason,
        unit: .seconds,
      ),
      ioBufferFrames: HardwareStatus.Value(
        preferred: preference.ioBuffer.map { Double($0.frames(atSampleRateHz: max(1, rate))) },
        actual: frames > 0 ? Double(frames) : nil,
        reason: hardware.bufferReason,
        unit: .frames,
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

  private func latencyValue(_ frames: UInt32?, _ reason: String) -> HardwareStatus.Value {
    guard let frames, hardware.sampleRateHz > 0 else {
      return HardwareStatus.Value(
        preferred: nil,
        actual: nil,
        reason: "not connected",
        unit: .seconds
      )
    }
    return HardwareStatus.Value(
      preferred: nil,
      actual: Double(frames) / Double(hardware.sampleRateHz),
      reason: "\(frames) frames, \(reason)",
      unit: .seconds,
    )
  }

  private func channelValue(_ preferred: Int?, actual: Int) -> HardwareStatus.Value {
    let reason: String? =
      switch preferred {
      case nil: nil
      case let wanted? where wanted == actual: "as preferred"
      case let wanted? where wanted < actual: "the server offers more"
      default: "the server offers no more"
      }
    return HardwareStatus.Value(
      preferred: preferred.map(Double.init),
      actual: Double(actual),
      reason: reason,
      unit: .channels,
    )
  }

  /// The ports that stand for hardware: those that say so, and those that the graph uses as routes
  /// (PipeWire's virtual devices do not say so).
  private func hardwarePorts(facing direction: ConnectionRule.Direction) -> Set<String> {
    guard let attachment else { return [] }
    let wanted: GraphFile.Route.Direction = direction == .outOfHost ? .output : .input
    let routes = graph.routes.filter { $0.direction == wanted }
      .flatMap { attachment.connections.foundPorts(of: $0) }
    return Set(attachment.connections.ports.physical(facing: direction)).union(routes)
  }

  /// The longest latency from a device to a strip, in frames.
  private func inputLatencyFrames() -> UInt32? {
    guard let attachment else { return nil }
    let heard = attachment.connections.heard(among: hardwarePorts(facing: .intoHost))
    return attachment.latencies.captureFrames(of: heard)
  }

  /// The longest latency from a route to its device, in frames.
  private func outputLatencyFrames() -> UInt32? {
    graph.outputRoutes
      .compactMap { attachment?.latencies.frames(of: $0) }.max()
  }
}
