// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The parameters of strips, sends, routes and the crossfader. [any-thread]
extension ParameterKind {
  /// The parameters of the mix.
  static let ofMix: [ParameterKind] =
    gains + mutes + switches + [
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

  /// The gains and mutes of strips, sends and routes.
  private static let gains = Branch.all.map { branch in
    ParameterKind(
      template: branch.path + "/gain",
      type: .number,
      range: -.infinity...GainLimits.highestDB,
      unit: "dB",
      taper: .fader,
      description: branch.gain,
      instances: { snapshot in
        branch.parts(snapshot).map { Instance(names: $0.names, value: .number($0.part.gainDB)) }
      },
      write: { rooms, change throws(ControlError) in
        try rooms.mix.apply(
          SetGain.Params(
            target: target(branch.path, change.names),
            gainDB: change.number,
            rampMilliseconds: change.rampMilliseconds,
          )
        )
      },
    )
  }

  private static let mutes = Branch.all.map { branch in
    ParameterKind(
      template: branch.path + "/mute",
      type: .flag,
      description: branch.mute,
      instances: { snapshot in
        branch.parts(snapshot).map { Instance(names: $0.names, value: .flag($0.part.muted)) }
      },
      write: { rooms, change throws(ControlError) in
        try rooms.mix.apply(
          SetMute.Params(target: target(branch.path, change.names), muted: change.isOn)
        )
      },
    )
  }

  /// The solos and cues of strips.
  private static let switches: [ParameterKind] = [
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

  /// The strip, route or send that a path means.
  static func target(_ template: String, _ names: [String]) -> MixTarget {
    if template.hasPrefix("/route/") { return .route(names[0]) }
    return template.contains("/send/") ? .send(strip: names[0], route: names[1]) : .strip(names[0])
  }
}

/// The part of the mix on one branch of the tree: all strips, all sends or all routes.
///
/// Pure value: [any-thread].
private struct Branch: Sendable {
  /// The path of one of them.
  let path: String
  /// The meanings of its gain and of its mute.
  let gain: String
  let mute: String
  /// All of them with their names.
  let parts: @Sendable (ParameterSnapshot) -> [(names: [String], part: any MixPart)]

  static let all = [
    Branch(
      path: "/strip/*",
      gain: "the strip's fader",
      mute: "whether the strip is muted",
      parts: { snapshot in snapshot.status.strips.map { ([$0.id], $0) } },
    ),
    Branch(
      path: "/strip/*/send/*",
      gain: "the send from the strip to the route",
      mute: "whether the send is muted",
      parts: { snapshot in snapshot.status.sends.map { ([$0.strip, $0.route], $0) } },
    ),
    Branch(
      path: "/route/*",
      gain: "the gain of the whole route",
      mute: "whether the route is muted",
      parts: { snapshot in snapshot.outputs.map { ([$0.name], $0) } },
    ),
  ]
}

/// A strip, a send or a route.
private protocol MixPart {
  var gainDB: Double { get }
  var muted: Bool { get }
}

extension StripStatus: MixPart {}
extension SendStatus: MixPart {}
extension RouteStatus: MixPart {}

extension ParameterSnapshot {
  /// The output routes, which alone have gains.
  var outputs: [RouteStatus] { status.routes.filter { $0.direction == .output } }
}
