// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// The bridge as a client of one server, from opening to closing.
///
/// Belongs to the control thread of its ``Bridge``.
@safe
final class BridgeClient {
  let connection: ClientConnection
  let jackRateHz: Int
  /// The device's rate that the resampler was made for.
  let deviceRateHz: Int

  private let link: BridgeLink
  private let core: UnsafeMutablePointer<BridgeCore>
  private let configuration: BridgeConfiguration
  private let inputs: [AudioInputPort]
  private let outputs: [AudioOutputPort]
  private let listeners: BridgeListeners?
  private var client: ActiveClient?
  private var statedFrames: UInt32?

  /// Opens the client with its ports and joins the graph.
  ///
  /// - Throws: ``JACKError``; `invalidValue` where the two rates are too far apart.
  init(
    link: BridgeLink,
    configuration: BridgeConfiguration,
    deviceRate: (_ jackRateHz: Int, _ jackPeriodFrames: Int) -> Int,
  ) throws {
    let opened = try OpenedClient.open(name: configuration.clientName, server: configuration.server)
    let connection = opened.connection
    unsafe link.telemetry.pointee.isFreewheeling.store(false, ordering: .relaxed)
    connection.setFreewheelHandler { [link] isOn in
      unsafe link.telemetry.pointee.isFreewheeling.store(isOn, ordering: .relaxed)
    }
    jackRateHz = Int(try connection.sampleRateHz)
    deviceRateHz = deviceRate(jackRateHz, Int(try connection.bufferFrames))
    guard
      var made = BridgeCore(
        link: link,
        configuration: configuration,
        jackRateHz: jackRateHz,
        deviceRateHz: deviceRateHz,
      )
    else { throw BridgeError.ratesTooFarApart(jack: jackRateHz, device: deviceRateHz) }
    var inputs: [AudioInputPort] = []
    var outputs: [AudioOutputPort] = []
    for channel in 0..<configuration.channels {
      switch configuration.direction {
      case .playback:
        let port: AudioInputPort = try connection.register(
          "playback_\(channel + 1)",
          flags: [.physical, .terminal],
        )
        made.inputs[channel] = port
        inputs.append(port)
      case .capture:
        let port: AudioOutputPort = try connection.register(
          "capture_\(channel + 1)",
          flags: [.physical, .terminal],
        )
        made.outputs[channel] = port
        outputs.append(port)
      }
    }
    listeners = try configuration.listeningProcess.map { process throws(JACKError) in
      try BridgeListeners(of: outputs.count, on: connection, process: process)
    }
    for (channel, approved) in (listeners?.approvals ?? []).enumerated() {
      made.approvals[channel] = approved
    }
    unsafe core = .allocate(capacity: 1)
    unsafe core.initialize(to: made)
    self.link = link
    self.configuration = configuration
    self.connection = connection
    self.inputs = inputs
    self.outputs = outputs
    do {
      client = try unsafe opened.activate(process: bridgeProcess, context: core)
    } catch {
      unsafe core.deinitialize(count: 1)
      unsafe core.deallocate()
      listeners?.free()
      throw error
    }
    namePorts()
  }

  deinit { close() }

  /// Leaves the graph.
  func close() {
    guard let client = client.take() else { return }
    let outcome = client.close()
    unsafe link.telemetry.pointee.isSending.store(false, ordering: .relaxed)
    unsafe link.telemetry.pointee.lock.store(LockState.lost.code, ordering: .relaxed)
    // After a close that hangs, a callback may still run, so its memory stays.
    guard outcome != .timedOut else { return }
    unsafe core.deinitialize(count: 1)
    unsafe core.deallocate()
    listeners?.free()
  }

  /// Handles a connection that was made or removed at one of the ports.
  func take(_ notification: ClientNotification) { listeners?.take(notification) }

  private func namePorts() {
    // Names are for people; the bridge works as well without them.
    for (index, port) in inputs.enumerated() { name(port, index) }
    for (index, port) in outputs.enumerated() { name(port, index) }
  }

  private func name<Direction>(_ port: ClientPort<AudioKind, Direction>, _ index: Int) {
    let words = "\(configuration.deviceName) \(configuration.direction.rawValue) \(index + 1)"
    let properties: [MetadataKey: MetadataValue] = [
      .prettyName: MetadataValue(words), .order: .integer(index + 1),
    ]
    _ = try? connection.describe(port, as: properties)
  }

  /// Sets the latency that JACK's latency callback reports.
  func state(delayFrames: UInt32) {
    guard delayFrames != statedFrames else { return }
    let range = LatencyRange(minFrames: delayFrames, maxFrames: delayFrames)
    let own =
      inputs.map { OwnLatency(sink: $0, range: range) }
      + outputs.map { OwnLatency(source: $0, range: range) }
    if (try? connection.setLatencyPaths([], own: own)) != nil { statedFrames = delayFrames }
  }

  /// Writes properties of the client.
  func publish(_ properties: [(name: String, value: String)]) {
    for property in properties {
      try? connection.setMetadata(
        MetadataValue(property.value),
        for: MetadataKey(rawValue: "urn:multiroute:bridge:" + property.name),
        of: connection.uuid,
      )
    }
  }
}

/// Why a bridge cannot be made between a server and a device.
enum BridgeError: Error, CustomStringConvertible {
  case ratesTooFarApart(jack: Int, device: Int)

  var description: String {
    switch self {
    case .ratesTooFarApart(let jack, let device):
      "JACK runs at \(jack) Hz and the device at \(device) Hz: more than 1:64 apart"
    }
  }
}
