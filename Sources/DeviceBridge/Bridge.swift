// SPDX-License-Identifier: MIT

internal import CRealtime
internal import ControlProtocol
internal import JACK
internal import Synchronization

/// A device with its own clock, as JACK ports; waits for the device or the server while either is missing.
public actor Bridge {
  /// Status and events, for one reader; ends when the bridge ends.
  public nonisolated let outputs: AsyncStream<BridgeOutput>

  let configuration: BridgeConfiguration
  let link: BridgeLink
  let startNanoseconds = realtime_now_nanoseconds()
  private let continuation: AsyncStream<BridgeOutput>.Continuation
  private var isStopping = false
  var client: BridgeClient?
  var serverLosses = 0
  var serverFault: String?
  var told = Told()
  var jackPeriodFrames: Int?

  /// The state that was reported last; a difference to it is an event.
  struct Told {
    var lock = BridgeStatus.Lock.starting
    var device: BridgeStatus.Device?
    var openings = 0
    var losses = 0
    var fault: String?
    var isServerThere: Bool?
    var resyncs = 0
    var xruns = 0
    var jackXruns: UInt64 = 0
    var missedCycles = 0
    var properties: [String: String] = [:]
    var propertiesNanoseconds: UInt64 = 0
    var statusNanoseconds: UInt64 = 0
  }

  /// Makes a bridge, which starts with ``run()``.
  public init(_ configuration: BridgeConfiguration) {
    self.configuration = configuration
    link = BridgeLink(direction: configuration.direction, channels: configuration.channels)
    (outputs, continuation) = AsyncStream.makeStream(
      of: BridgeOutput.self,
      bufferingPolicy: .bufferingNewest(1024),
    )
  }

  /// Bridges until ``stop()``.
  ///
  /// - Returns: False when the device's driver did not come back at the end.
  ///
  /// [control-thread]
  public func run() async -> Bool {
    tell(.started, "\(configuration.deviceName), \(configuration.direction.rawValue)")
    let hasThread = DeviceThread.start(link: link, deviceName: configuration.deviceName)
    while !isStopping, hasThread {
      if connect() {
        await serve()
        disconnect()
      } else {
        tick()
        try? await Task.sleep(for: .milliseconds(250))
      }
    }
    let hasEnded = await endDevice()
    tell(.stopped, hasEnded ? "asked to stop" : "the device's driver does not come back")
    continuation.finish()
    return hasEnded
  }

  /// Ends ``run()``. [control-thread]
  public func stop() { isStopping = true }

  // MARK: - The server

  private func connect() -> Bool {
    do {
      let link = link
      let wanted = configuration
      let made = try BridgeClient(link: link, configuration: configuration) { rate, period in
        Self.deviceRate(link, wanted, jackRateHz: rate, jackPeriodFrames: period)
      }
      jackPeriodFrames = Int(try made.connection.bufferFrames)
      client = made
      serverFault = nil
      told.isServerThere = true
      told.jackXruns = 0
      tell(
        .serverConnected,
        "client \"\(made.connection.name)\" at \(made.jackRateHz) Hz, \(jackPeriodFrames ?? 0) frames",
      )
      return true
    } catch {
      serverFault = "\(error)"
      if told.isServerThere != false { tell(.serverLost, "\(error)") }
      told.isServerThere = false
      return false
    }
  }

  /// Says what to ask the device for, and what rate it has or will have.
  private static func deviceRate(
    _ link: BridgeLink,
    _ configuration: BridgeConfiguration,
    jackRateHz: Int,
    jackPeriodFrames: Int,
  ) -> Int {
    link.info.withLock { info in
      let rate = configuration.deviceRateHz
      let period = configuration.devicePeriodFrames
      info.wanted = DeviceInfo.Geometry(
        rateHz: rate > 0 ? rate : jackRateHz,
        periodFrames: period > 0 ? period : jackPeriodFrames,
        periods: configuration.devicePeriods,
      )
      return info.actual?.rateHz ?? info.lastRateHz ?? (rate > 0 ? rate : jackRateHz)
    }
  }

  private func serve() async {
    guard let client else { return }
    let notifications = client.connection.notifications
    let listener = Task {
      for await notification in notifications { self.take(notification) }
    }
    while !isStopping, !client.connection.isServerGone, fits(client) {
      tick()
      try? await Task.sleep(for: .milliseconds(50))
    }
    listener.cancel()
  }

  /// Whether the resampler is made for the present rates; a new client is opened otherwise.
  private func fits(_ client: BridgeClient) -> Bool {
    let device = link.info.withLock { $0.actual?.rateHz }
    if let device, device != client.deviceRateHz { return false }
    return (try? client.connection.sampleRateHz).map { Int($0) == client.jackRateHz } ?? true
  }

  private func disconnect() {
    guard let client else { return }
    if client.connection.isServerGone {
      serverLosses += 1
      told.isServerThere = false
      serverFault = "the JACK server went away"
      tell(.serverLost, "the JACK server went away")
    }
    client.close()
    self.client = nil
    jackPeriodFrames = nil
    tick()
  }

  private func take(_ notification: ClientNotification) {
    client?.take(notification)
    switch notification {
    case .bufferSizeChanged(let frames) where Int(frames) != jackPeriodFrames:
      jackPeriodFrames = Int(frames)
      tell(.bufferSizeChanged, "JACK's period is \(frames) frames")
    case .sampleRateChanged(let hz) where Int(hz) != client?.jackRateHz:
      tell(.sampleRateChanged, "JACK's rate is \(hz) Hz")
    case .freewheel(let isOn):
      tell(.freewheel, isOn ? "JACK freewheels: silence" : "freewheeling is over")
    default: break
    }
  }

  // MARK: - The end

  private func endDevice() async -> Bool {
    unsafe link.telemetry.pointee.shouldStop.store(true, ordering: .relaxed)
    for _ in 0..<200 {
      if link.info.withLock({ $0.stage == .ended }) { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  // MARK: - Output

  func tell(
    _ kind: BridgeEvent.Kind,
    _ message: String,
    from: BridgeStatus.Lock? = nil,
    to: BridgeStatus.Lock? = nil,
  ) {
    continuation.yield(.event(BridgeEvent(kind, message, from: from, to: to)))
  }

  func show(_ report: BridgeReport) { continuation.yield(.status(report)) }
}
