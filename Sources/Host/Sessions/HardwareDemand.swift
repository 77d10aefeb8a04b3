// SPDX-License-Identifier: MIT

internal import Sessions

/// The joint hardware preferences of all active sessions (HW-4).
struct HardwareDemand {
  /// The buffer that is asked for.
  enum Buffer {
    /// The graph's preference; without one, this number of frames, or the present buffer.
    case ofGraph(orFrames: Int?)
    /// A session's, in seconds.
    case seconds(Double)
  }

  var buffer: Buffer
  /// Whether any session asks for a buffer.
  var isBufferOwned: Bool
  /// The rate to run at in hertz; nil where no session asks for one.
  var sampleRateHz: Int?
  /// The name of the session that prefers the rate; nil without one.
  var rateOwner: String?
  /// Whether that is the graph's own session.
  var isRateOfGraph: Bool

  /// The graph's preferences alone.
  static let graph = HardwareDemand(
    buffer: .ofGraph(orFrames: nil),
    isBufferOwned: false,
    isRateOfGraph: false,
  )
}

extension HardwareDemand {
  /// The demand of the sessions of a ledger; nil as long as none of them has asked for anything. [control-thread]
  init?(of ledger: SessionLedger) { self.init(of: ledger, in: ledger.state) }

  /// The demand of the sessions of a ledger, where the tower is in another state; nil as long as none of them has asked for
  /// anything. [control-thread]
  init?(of ledger: SessionLedger, in state: TowerState) {
    let target = state.hardware.target
    guard let values = state.hardware.requested ?? target?.values else { return nil }
    let rateOwner = target?.sampleRateOwner
    self.init(
      buffer: .ofGraph(orFrames: values.bufferFrames),
      isBufferOwned: target?.bufferOwner != nil,
      sampleRateHz: rateOwner.map { _ in Int(values.sampleRateHz) },
      rateOwner: rateOwner.map { ledger.name(of: $0) },
      isRateOfGraph: rateOwner.map { ledger.held[$0]?.owner == .host } ?? false,
    )
    if let owner = target?.bufferOwner,
      let seconds = state.session(owner)?.appliedPreferences.ioBufferSeconds
    {
      buffer = ledger.held[owner]?.owner == .host ? .ofGraph(orFrames: nil) : .seconds(seconds)
    }
  }
}
