// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The parameters of strips, sends, routes and the crossfader. [any-thread]
extension ParameterKind {
  /// The parameters of the mix.
  static let ofMix: [ParameterKind] =
    gains + switches + [
      ParameterKind(
        template: "/strip/*/pan",
        type: .number,
        range: -1...1,
        description: "equal-power pan: -1 is left, 1 is right",
        instances: { $0.status.strips.map { Instance($0.id, value: .number($0.pan)) } },
        write: { rooms, change throws(ControlError) in
          try rooms.mix.apply(
            SetPan.Params(
              strip: change.names[0],
              pan: change.number,
              rampMilliseconds: change.rampMilliseconds,
            )
          )
        },
      ),
      ParameterKind(
        template: "/crossfader/position",
        type: .number,
        range: -1...1,
        description: "-1 is side A alone, 1 is side B alone",
        instances: { snapshot in
          snapshot.status.crossfader.map { [Instance(value: .number($0.position))] } ?? []
        },
        write: { rooms, change throws(ControlError) in
          try rooms.mix.apply(
            SetCrossfader.Params(
              position: change.number,
              rampMilliseconds: change.rampMilliseconds,
            )
          )
        },
      ),
    ]

  /// The gains of strips, sends and routes.
  private static let gains: [ParameterKind] = [
    gain("/strip/*/gain", "the strip's fader") { snapshot in
      snapshot.status.strips.map { Instance($0.id, value: .number($0.gainDB)) }
    },
    gain("/strip/*/send/*/gain", "the send from the strip to the route") { snapshot in
      snapshot.status.sends.map { Instance($0.strip, $0.route, value: .number($0.gainDB)) }
    },
    gain("/route/*/gain", "the gain of the whole route") { snapshot in
      snapshot.outputs.map { Instance($0.name, value: .number($0.gainDB)) }
    },
  ]

  private static func gain(
    _ template: String,
    _ description: String,
    _ instances: @escaping @Sendable (ParameterSnapshot) -> [Instance],
  ) -> ParameterKind {
    ParameterKind(
      template: template,
      type: .number,
      range: -.infinity...GainLimits.highestDB,
      unit: "dB",
      taper: .fader,
      description: description,
      instances: instances,
      write: { rooms, change throws(ControlError) in
        try rooms.mix.apply(
          SetGain.Params(
            target: target(template, change.names),
            gainDB: change.number,
            rampMilliseconds: change.rampMilliseconds,
          )
        )
      },
    )
  }

  /// The mutes, solos and cues.
  private static let switches: [ParameterKind] = [
    mute("/strip/*/mute", "whether the strip is muted") { snapshot in
      snapshot.status.strips.map { Instance($0.id, value: .flag($0.muted)) }
    },
    mute("/strip/*/send/*/mute", "whether the send is muted") { snapshot in
      snapshot.status.sends.map { Instance($0.strip, $0.route, value: .flag($0.muted)) }
    },
    mute("/route/*/mute", "whether the route is muted") { snapshot in
      snapshot.outputs.map { Instance($0.name, value: .flag($0.muted)) }
    },
    ParameterKind(
      template: "/strip/*/solo",
      type: .flag,
      description: "whether the strip is soloed: while any is, the others are silent",
      instances: { $0.status.strips.map { Instance($0.id, value: .flag($0.solo)) } },
      write: { rooms, change throws(ControlError) in
        try rooms.mix.apply(SetSolo.Params(strip: change.names[0], solo: change.isOn))
      },
    ),
    ParameterKind(
      template: "/strip/*/cue",
      type: .flag,
      description: "whether the strip is heard on the cue route, before its fader",
      instances: { $0.status.strips.map { Instance($0.id, value: .flag($0.cue)) } },
      write: { rooms, change throws(ControlError) in
        try rooms.mix.apply(SetCue.Params(strip: change.names[0], cue: change.isOn))
      },
    ),
  ]

  private static func mute(
    _ template: String,
    _ description: String,
    _ instances: @escaping @Sendable (ParameterSnapshot) -> [Instance],
  ) -> ParameterKind {
    ParameterKind(
      template: template,
      type: .flag,
      description: description,
      instances: instances,
      write: { rooms, change throws(ControlError) in
        try rooms.mix.apply(
          SetMute.Params(target: target(template, change.names), muted: change.isOn)
        )
      },
    )
  }

  /// The strip, route or send that a path means.
  static func target(_ template: String, _ names: [String]) -> MixTarget {
    if template.hasPrefix("/route/") { return .route(names[0]) }
    return template.contains("/send/") ? .send(strip: names[0], route: names[1]) : .strip(names[0])
  }
}

extension ParameterSnapshot {
  /// The output routes, which alone have gains.
  var outputs: [RouteStatus] { status.routes.filter { $0.direction == .output } }
}
