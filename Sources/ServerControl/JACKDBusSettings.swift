// SPDX-License-Identifier: MIT

internal import Logging
internal import Synchronization

/// Sets the rate and the buffer size of jackdbus through its control interface on the session bus.
///
/// A rate takes a restart of its server, which all clients notice; a buffer size alone does not.
/// jackdbus writes its settings to a file, so the former ones are restored also for the time after this server.
///
/// Safe from any thread: [any-thread].
package final class JACKDBusSettings: ForeignServerSettings {
  package let reason = "set through jackdbus's control interface"

  private let controller: JACKDBusController
  private let logger: Logger
  private let former = Mutex<Former?>(nil)

  /// The settings before the first change.
  package struct Former: Codable, Sendable, Equatable {
    var rate: JACKDBusController.Value
    var period: JACKDBusController.Value
    /// The buffer size of the running server, which can differ from the setting.
    var bufferFrames: Int?
    /// The values that the host has set; only those that still stand are restored.
    var ourRate: Int?
    var ourPeriod: Int?
    var ourBufferFrames: Int?
  }

  /// Makes the settings of the jackdbus on the session bus.
  ///
  /// - Parameters:
  ///   - logger: Takes a line for each value that is set or restored.
  ///   - environment: Variables that differ from this process's environment, such as
  ///     `DBUS_SESSION_BUS_ADDRESS`.
  init(logger: Logger, environment: [String: String] = [:]) {
    self.logger = logger
    controller = JACKDBusController(environment: environment)
  }

  package func force(sampleRateHz: Int?, bufferFrames: Int?) async throws(ServerControlError) {
    guard try await controller.isStarted() else {
      throw ServerControlError(
        .noServer,
        "jackdbus runs no server; start it with `jack_control start`"
      )
    }
    let runningRateHz = try await controller.sampleRateHz()
    let runningFrames = try await controller.bufferFrames()
    var record = try await recorded(runningFrames: runningFrames)
    if let sampleRateHz, sampleRateHz != runningRateHz {
      record.ourRate = sampleRateHz
      if let bufferFrames {
        record.ourPeriod = bufferFrames
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

  package var loan: ServerLoan? { former.withLock { $0 }.map(ServerLoan.jackDBus) }

  package func giveBack() async {
    guard let record = former.withLock({ $0.take() }) else { return }
    await giveBack(loan: record)
  }

  /// Restores settings that another process has recorded.
  func giveBack(loan record: Former) async {
    do throws(ServerControlError) {
      try await giveBack(record)
    } catch {
      logger.warning("jackdbus keeps the settings it was given: \(error)")
    }
  }

  // MARK: - Steps

  private func recorded(runningFrames: Int?) async throws(ServerControlError) -> Former {
    if let record = former.withLock({ $0 }) { return record }
    return Former(
      rate: try await controller.value(of: .rate),
      period: try await controller.value(of: .period),
      bufferFrames: runningFrames,
    )
  }

  /// Restarts the server with the host's values, or with the former ones where it refuses those.
  private func restart(_ record: Former) async throws(ServerControlError) {
    try await stop()
    do throws(ServerControlError) {
      if let rate = record.ourRate {
        try await controller.set(.rate, to: rate)
      }
      if let period = record.ourPeriod {
        try await controller.set(.period, to: period)
      }
      try await start()
      log(restartedAtHz: record.ourRate ?? record.rate.number)
    } catch {
      former.withLock { $0 = nil }
      try await controller.restore(.rate, record.rate)
      try await controller.restore(.period, record.period)
      try await start()
      throw error
    }
  }

  private func giveBack(_ record: Former) async throws(ServerControlError) {
    let isStarted = try await controller.isStarted()
    let frames = isStarted ? try await controller.bufferFrames() : nil
    let isRateOurs = try await isOurs(.rate, record.ourRate)
    let needsRestart = isStarted && isRateOurs
    if needsRestart { try await stop() }
    var fault: ServerControlError?
    do throws(ServerControlError) {
      if isRateOurs { try await controller.restore(.rate, record.rate) }
      if try await isOurs(.period, record.ourPeriod) {
        try await controller.restore(.period, record.period)
      }
    } catch {
      fault = error
    }
    if needsRestart {
      try await start()
      log(restartedAtHz: record.rate.number)
    }
    if let fault { throw fault }
    // Without a restart, a buffer size that another program has set since then stays.
    guard needsRestart || (isStarted && frames == record.ourBufferFrames) else { return }
    if let former = record.bufferFrames, try await controller.bufferFrames() != former {
      try await controller.setBufferFrames(former)
    }
  }

  /// Whether a setting still has the value that the host has set.
  private func isOurs(
    _ setting: JACKDBusController.Setting,
    _ ours: Int?,
  ) async throws(ServerControlError) -> Bool {
    guard let ours else { return false }
    return try await controller.value(of: setting).number == ours
  }

  private func stop() async throws(ServerControlError) { try await setServer(started: false) }

  private func start() async throws(ServerControlError) { try await setServer(started: true) }

  /// Starts or stops the server; also in a cancelled task, because a server that was stopped must be started again.
  private func setServer(started isStarted: Bool) async throws(ServerControlError) {
    guard try await controller.setServer(started: isStarted, within: Self.patience) else {
      throw ServerControlError(
        .noServer,
        "jackdbus has not \(isStarted ? "started" : "stopped") its server within \(Self.patience)"
      )
    }
  }

  private func log(restartedAtHz rate: Int?) {
    logger.info("jackdbus: server restarted at \(rate.map { "\($0) Hz" } ?? "its own rate")")
  }

  private static let patience = Duration.seconds(5)
}
