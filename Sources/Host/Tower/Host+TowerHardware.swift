// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing
internal import Sessions

extension Host {
  /// Has something done about the hardware, after what is under way.
  func afterHardwareWork(_ work: @escaping @Sendable (isolated Host) async -> Void) {
    let before = hardwareWork
    hardwareWork = Task {
      await before?.value
      await work(self)
    }
  }

  /// Sets rate and buffer as the tower wants them now, and reads them back (HW-3).
  ///
  /// The tower says whose wish counts; what comes nearest to it is for the server to say.
  func setHardware() async {
    guard phase == .running, let presence, let values = tower.tower.state.hardware.requested else {
      return
    }
    let ioBuffer = wantedBuffer(values)
    if let rate = wantedRate(values) {
      wish.ioBuffer = ioBuffer
      return await restart(at: rate)
    }
    guard wish.ioBuffer != ioBuffer else { return tellHardware(byOthers: false) }
    isBufferStale = nodes.haveStopped
    guard !isBufferStale else {
      // JACK asks every client, and whoever asks JACK for anything would wait for the stopped one.
      hardware.bufferReason = "a node is stopped (SIGSTOP): it is set when that goes on"
      return tellHardware(byOthers: false)
    }
    wish.ioBuffer = ioBuffer
    isSettingBuffer = true
    hardware = await hardware.applyingBuffer(wish, connection: presence.mix)
    isSettingBuffer = false
    // JACK does not ask by itself for what depends on the buffer's size.
    restateLatencies()
    // Put back for nobody in particular: nothing to hold against other programs.
    if tower.tower.state.hardware.target?.bufferOwner == nil { wish.ioBuffer = preference.ioBuffer }
    publish(
      .hardwareChanged,
      "the I/O buffer is \(hardware.bufferFrames) frames, as the active sessions wish (HW-4)",
      details: ["ioBufferFrames": .integer(Int64(hardware.bufferFrames))],
    )
    tellHardware(byOthers: false)
  }

  private func wantedBuffer(_ values: HardwareValues) -> HardwarePreference.IOBuffer? {
    let state = tower.tower.state
    guard let owner = state.hardware.target?.bufferOwner,
      let seconds = state.session(owner)?.appliedPreferences.ioBufferSeconds
    else { return preference.ioBuffer ?? .frames(values.bufferFrames) }
    return tower.held[owner]?.owner == .host ? preference.ioBuffer : .durationSeconds(seconds)
  }

  /// The rate to restart the server at; nil where it is to stay as it is.
  private func wantedRate(_ values: HardwareValues) -> Int? {
    guard tower.tower.state.hardware.target?.sampleRateOwner != nil else { return nil }
    let rate = Int(values.sampleRateHz)
    guard rate != hardware.sampleRateHz, !refusedRatesHz.contains(rate) else { return nil }
    guard rateBudget.spend(nowNanoseconds: HostClock.nowNanoseconds()) else {
      let refusal = "sessions have had it changed \(rateBudget.limit) times within a minute"
      rateRefusal = refusal
      publish(
        .gaveWay,
        "the sample rate stays at \(hardware.sampleRateHz) Hz: \(refusal)",
        details: ["value": .string("sampleRateHz")],
      )
      return nil
    }
    return rate
  }

  /// Lets the tower know what the hardware runs at.
  func tellHardware(byOthers: Bool) {
    tell(.hardwareChanged(values: hardware.values, byOthers: byOthers))
  }

  // MARK: - Preferred and actual

  /// The sample rate and the I/O buffer that a session wished for, and what it got (HW-3).
  func hardwareValues(
    of session: SessionID
  ) -> (sampleRate: HardwareValue, ioBufferDuration: HardwareValue) {
    let report = tower.tower.state.hardwareReport(of: session)
    return (
      value(
        report?.sampleRateHz,
        unit: "Hz",
        unsupported: rateRefusal ?? "it is the nearest of the usual rates",
      ),
      value(
        report?.ioBufferSeconds,
        unit: "s",
        unsupported: hardware.bufferReason ?? "the driver does not take that size",
      )
    )
  }

  private func value(
    _ value: HardwareReport.Value?,
    unit: String,
    unsupported: String,
  ) -> HardwareValue {
    let reason: String? =
      switch value?.difference {
      case nil: nil
      case .atNextActivation: "it takes effect with the next activation"
      case .notSupported: unsupported
      case .serverNotOwned: "the server is not ours to restart"
      case .decidedBy(let other): "session '\(name(of: other))' decides (HW-4)"
      case .changedByOthers: "another program insists on it"
      case .pending: "it is not settled yet"
      }
    return HardwareValue(
      preferred: value?.preferred,
      actual: value?.actual,
      reason: reason,
      unit: unit,
    )
  }
}

extension HardwareFacts {
  /// The values as the tower knows them.
  var values: HardwareValues {
    HardwareValues(sampleRateHz: Double(sampleRateHz), bufferFrames: bufferFrames)
  }
}
