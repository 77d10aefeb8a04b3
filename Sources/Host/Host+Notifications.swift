// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Logging

extension Host {
  /// Takes in what JACK tells the main client, for as long as it is open.
  func listen(to connection: ClientConnection) {
    connection.raiseNotifications(priority: ControlThread.priority)
    Task {
      for await notification in connection.notifications {
        // A client that has been replaced meanwhile has nothing to say any more.
        guard presence?.mix === connection else { return }
        await take(notification, from: connection)
      }
    }
  }

  private func take(
    _ notification: ClientNotification,
    from connection: ClientConnection,
  ) async {
    defer { takeNodes(notification) }
    switch notification {
    case .portRegistered(let port):
      keeper.portAppeared(port)
      portsChanged()
    case .portUnregistered(let name):
      keeper.portVanished(name)
      portsChanged()
    case .portRenamed(let old, let new):
      keeper.portVanished(old)
      if let port = try? connection.port(named: new) { keeper.portAppeared(port) }
      portsChanged()
    case .portsConnected(let source, let destination):
      enforceCapture(source: source, destination: destination)
      keeper.connected(ConnectionPair(source: source, destination: destination))
      adoptedConnected(source, to: destination)
      enforceStrips(source: source)
      keepPatches()
      tellRoutes()
      tellRunning()
    case .portsDisconnected(let source, let destination):
      let isOurAct = keeper.disconnected(
        ConnectionPair(source: source, destination: destination),
        nowNanoseconds: HostClock.nowNanoseconds(),
      )
      // A route may have been plugged in again before JACK told that it was unplugged.
      if isOurAct { connectMissing() }
      adoptedDisconnected(source, from: destination)
      tellRoutes()
      tellRunning()
    case .bufferSizeChanged(let frames):
      await bufferChanged(Int(frames))
    case .sampleRateChanged(let hz):
      sampleRateChanged(hz)
    case .xrun(let delay, let frameTime):
      xrun(delayMicroseconds: delay, frameTime: frameTime)
    case .freewheel(let isOn):
      publish(.hardwareChanged, isOn ? "freewheeling" : "back in real time")
    case .shutdown(_, let reason):
      serverLost(reason)
    case .latencyRecomputed:
      if presence?.inserts.map({ $0.haveLatenciesChanged() }).contains(true) == true {
        restateLatencies()
      }
      alignRoutes()
      tellLatencies()
    case .graphReordered, .clientRegistered, .clientUnregistered,
      .propertyChanged:
      break
    }
  }

  private func portsChanged() {
    reviewGates()
    adoptClients()
    connectMissing()
    tellAvailability()
    alignRoutes()
    settleInserts()
  }

  private func xrun(delayMicroseconds: Float, frameTime: UInt32) {
    counts.xruns += 1
    let load = (try? presence?.mix.cpuLoadPercent) ?? 0
    let callback = presence?.mix.processStatistics.lastNanoseconds ?? 0
    let cause =
      Double(callback) / 1000 > hardware.periodMicroseconds
      ? "the host's own callback took \(callback / 1000) µs"
      : "not the host: its callback took \(callback / 1000) µs, JACK's load was \(Int(load)) %"
    let time = HostClock.stamp(frame: UInt64(frameTime))
    counts.lastXrun = XrunStatus(
      time: time,
      delayMicroseconds: Double(delayMicroseconds),
      cause: cause,
    )
    publish(
      .xrun,
      "xrun number \(counts.xruns), late by \(Int(delayMicroseconds)) µs; \(cause)",
      frame: UInt64(frameTime),
      details: [
        "delayMicroseconds": .number(Double(delayMicroseconds)),
        "cause": .string(cause),
      ],
    )
  }

  /// The server's buffer has another size: the engine takes any, so all there is to do is to say
  /// so, and to put it back where the graph says so and the budget allows (HW-2).
  private func bufferChanged(_ frames: Int) async {
    guard phase == .running, !isSettingBuffer, frames != hardware.bufferFrames, let presence
    else { return }
    let before = hardware.bufferFrames
    hardware.bufferFrames = frames
    hardware.bufferReason = "another program changed it"
    restateLatencies()
    publish(
      .hardwareChanged,
      "another program changed the I/O buffer from \(before) to \(frames) frames",
      details: ["ioBufferFrames": .integer(Int64(frames))],
    )
    guard wish.isEnforced, wish.ioBuffer != nil else {
      tellHardware(byOthers: true)
      return
    }
    guard budget.spend(nowNanoseconds: HostClock.nowNanoseconds()) else {
      hardware.bufferReason =
        "another program insists on it; the host gave way after \(budget.limit) times"
      publish(
        .gaveWay,
        "another program insists on \(frames) frames; put back \(budget.limit) times "
          + "within a minute, the host gives way",
        details: ["value": .string("ioBufferFrames"), "ioBufferFrames": .integer(Int64(frames))],
      )
      tellHardware(byOthers: false)
      return
    }
    hardware = await hardware.applyingBuffer(wish, connection: presence.mix)
    restateLatencies()
    publish(
      .hardwareChanged,
      "the I/O buffer is put back to \(hardware.bufferFrames) frames (HW-2)",
      details: ["ioBufferFrames": .integer(Int64(hardware.bufferFrames))],
    )
    tellHardware(byOthers: false)
  }
}
