// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK

/// JACK's transport as parameters show it.
///
/// Pure value: [any-thread].
struct TransportReading: Equatable, Sendable {
  /// Whether it rolls.
  var isRolling: Bool
  /// The position in frames.
  var frame: UInt32
  /// The sample rate.
  var rateHz: UInt32
  /// Bar, beat and tick with dots between; nil without a timebase master.
  var beat: String?

  /// The position in seconds; 0 where the rate is not known.
  var seconds: Double { rateHz > 0 ? Double(frame) / Double(rateHz) : 0 }
}

extension TransportReading {
  /// Reads JACK's answer. [any-thread]
  init(_ transport: Transport) {
    let position = transport.position
    self.init(
      isRolling: transport.state == .rolling,
      frame: position.frame,
      rateHz: position.sampleRateHz,
      beat: position.barBeatTick.map { "\($0.bar).\($0.beat).\(Int32(clamping: Int64($0.tick)))" },
    )
  }
}

/// The parameters of JACK's transport. [any-thread]
extension ParameterKind {
  /// Whether the transport rolls, and where it is.
  static let ofTransport: [ParameterKind] = [
    ParameterKind(
      template: "/transport/rolling",
      type: .flag,
      description: "whether JACK's transport rolls",
      instances: { snapshot in
        snapshot.transport.map { [Instance(value: .flag($0.isRolling))] } ?? []
      },
      write: { rooms, change throws(ControlError) in
        try rooms.withTransport { attachment throws(JACKError) in
          if change.isOn {
            try attachment.startTransport()
          } else {
            try attachment.stopTransport()
          }
        }
      },
    ),
    ParameterKind(
      template: "/transport/position",
      type: .number,
      range: 0...86_400,
      unit: "s",
      description: "the position of JACK's transport, in whole frames",
      instances: { snapshot in
        snapshot.transport.map { [Instance(value: .number($0.seconds))] } ?? []
      },
      write: { rooms, change throws(ControlError) in
        let frame = change.number * Double(rooms.hardware.sampleRateHz)
        try rooms.withTransport { attachment throws(JACKError) in
          try attachment.locateTransport(
            toFrame: UInt32(min(frame.rounded(), Double(UInt32.max)))
          )
        }
      },
    ),
    ParameterKind(
      template: "/transport/beat",
      type: .text,
      description: "bar, beat and tick, such as 12.3.480; only there with a timebase master",
      instances: { snapshot in
        snapshot.transport?.beat.map { [Instance(value: .text($0))] } ?? []
      },
    ),
  ]
}

/// The transport as parameters use it. [control-thread]
extension Rooms {
  /// Does something to the transport.
  ///
  /// - Throws: `refused` where the server is away or refuses.
  fileprivate func withTransport(
    _ body: (Attachment) throws(JACKError) -> Void
  ) throws(ControlError) {
    guard let attachment = control.attachment else {
      throw ControlError(
        .refused,
        place: "/transport",
        fault: "the JACK server is away",
        allowed: "the transport of a server that runs",
      )
    }
    do {
      try body(attachment)
    } catch {
      throw ControlError(.refused, message: "the transport stays as it is: \(error)")
    }
  }
}
