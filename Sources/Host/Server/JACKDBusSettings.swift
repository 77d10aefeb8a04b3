// SPDX-License-Identifier: MIT

internal import Logging
internal import Synchronization

/// Asks jackdbus for a rate and a buffer size through its control interface on the session bus.
///
/// A rate takes a restart of its server, which all clients notice; a buffer size alone does not.
/// jackdbus writes its settings to a file, so giving them back matters beyond this server's life.
final class JACKDBusSettings: ForeignServerSettings {
  let reason = "set through jackdbus's control interface"

  private let controller: JACKDBusController
  private let logger: Logger
  private let former = Mutex<Former?>(nil)

  /// How it stood before the first change.
  private struct Former {
    var rate: JACKDBusController.Value
    var period: JACKDBusController.Value
    /// The buffer size that the server ran with, which need not be the setting's.
    var bufferFrames: Int?
    /// What we have set: only what still stands is given back.
    var ourRate: String?
    var ourPeriod: String?
    var ourBufferFrames: Int?
  }

  /// Makes the settings of the jackdbus on the session bus.
  ///
  /// - Parameters:
  ///   - logger: Told what is set and given back.
  ///   - environment: What is changed of the process's environment, such as
  ///     `DBUS_SESSION_BUS_ADDRESS`.
  init(logger: Logger, environment: [String: String] = [:]) {
    self.logger = logger
    controller = JACKDBusController(environment: environment)
  }

  func force(sampleRateHz: Int?, bufferFrames: Int?) async throws(HostError) {
    guard try await controller.isStarted() else {
      throw HostError(.noServer, "jackdbus runs no server; start it with `jack_control start`")
    }
    let runningRateHz = try await controller.sampleRateHz()
    let runningFrames = try await controller.bufferFrames()
    var record = try await recorded(runningFrames: runningFrames)
    if let sampleRateHz, sampleRateHz != runningRateHz {
      record.ourRate = String(sampleRateHz)
      if let bufferFrames {
        record.ourPeriod = String(bufferFrames)
        record.ourBufferFrames = bufferFrames
      }
      former.withLock { $0 = record }
      try await restart(record)
    } else if let bufferFrames, bufferFrames != runningFrames {
      record.ourBufferFrames = bufferFrames
      former.withLock { $0 = record }
      try await controller.setBufferFrames(bufferFrames)
    }
  }

  func giveBack() async {
    guard let record = former.withLock({ $0.take() }) else { return }
    do throws(HostError) {
      try await giveBack(record)
    } catch {
      logger.warning("jackdbus keeps the settings it was given: \(error)")
    }
  }

  // MARK: - Steps

  private func recorded(runningFrames: Int?) async throws(HostError) -> Former {
    if let record = former.withLock({ $0 }) { return record }
    return Former(
      rate: try await controller.value(of: .rate),
      period: try await controller.value(of: .period),
      bufferFrames: runningFrames,
    )
  }

  /// Restarts the server with our values; with the former ones where it refuses ours.
  private func restart(_ record: Former) async throws(HostError) {
    try await stop()
    do throws(HostError) {
      if let rate = record.ourRate {
        try await controller.set(.rate, to: rate, type: record.rate.type)
      }
      if let period = record.ourPeriod {
        try await controller.set(.period, to: period, type: record.period.type)
      }
      try await start()
      logger.info("jackdbus: server restarted at \(record.ourRate ?? record.rate.text) Hz")
    } catch {
      former.withLock { $0 = nil }
      try await controller.restore(.rate, record.rate)
      try await controller.restore(.period, record.period)
      try await start()
      throw error
    }
  }

  private func giveBack(_ record: Former) async throws(HostError) {
    let isStarted = try await controller.isStarted()
    let frames = isStarted ? try await controller.bufferFrames() : nil
    let isRateOurs = try await isOurs(.rate, record.ourRate)
    let needsRestart = isStarted && isRateOurs
    if needsRestart { try await stop() }
    var fault: HostError?
    do throws(HostError) {
      if isRateOurs { try await controller.restore(.rate, record.rate) }
      if try await isOurs(.period, record.ourPeriod) {
        try await controller.restore(.period, record.period)
      }
    } catch {
      fault = error
    }
    if needsRestart {
      try await start()
      logger.info("jackdbus: server restarted at \(record.rate.text) Hz")
    }
    if let fault { throw fault }
    // Without a restart, whoever has changed the buffer size since then keeps it.
    guard needsRestart || (isStarted && frames == record.ourBufferFrames) else { return }
    if let former = record.bufferFrames, try await controller.bufferFrames() != former {
      try await controller.setBufferFrames(former)
    }
  }

  /// Whether a setting still stands as we have set it.
  private func isOurs(
    _ setting: JACKDBusController.Setting,
    _ ours: String?,
  ) async throws(HostError) -> Bool {
    guard let ours else { return false }
    return try await controller.value(of: setting).text == ours
  }

  private func stop() async throws(HostError) {
    try await controller.stopServer()
    try await wait(untilStarted: false)
  }

  private func start() async throws(HostError) {
    try await controller.startServer()
    try await wait(untilStarted: true)
  }

  /// Waits until jackdbus says so.
  private func wait(untilStarted isWanted: Bool) async throws(HostError) {
    let deadline = ContinuousClock.now + Self.patience
    while try await controller.isStarted() != isWanted {
      guard ContinuousClock.now < deadline else {
        let what = isWanted ? "started" : "stopped"
        throw HostError(.noServer, "jackdbus has not \(what) its server within \(Self.patience)")
      }
      // Cancelled or not: a server that was stopped must be started again.
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  private static let patience = Duration.seconds(5)
}
