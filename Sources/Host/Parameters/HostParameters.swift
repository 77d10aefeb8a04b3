// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing
internal import Sessions

/// All parameters, and those of routes, recorders, sessions and levels. [any-thread]
extension ParameterKind {
  /// Every kind of parameter.
  static let all = [
    (ofMix + ofEffects + [ofNodes]).map(\.inScenes), ofRoutes, [recording], ofScenes, ofSessions,
    [permission], ofSimulation, levels, [reduction], ofTransport, [why], ofHost,
    ofAppearance,
  ].flatMap { $0 }

  /// The same kind, as one that scenes have.
  private var inScenes: ParameterKind {
    var kind = self
    kind.isInScenes = true
    return kind
  }

  // MARK: - Routes

  private static let ofRoutes: [ParameterKind] = [
    ParameterKind(
      template: "/route/*/alignment",
      type: .text,
      choices: AlignmentMode.allCases.map(\.rawValue),
      description: "how the route is delayed to be heard with the others",
      instances: { snapshot in
        snapshot.outputs.compactMap { route in
          route.alignment.map { Instance(route.name, value: .text($0.rawValue)) }
        }
      },
      write: { rooms, change throws(ControlError) in
        let route = change.names[0]
        guard let mode = AlignmentMode(rawValue: change.text) else { return }
        // By hand, the route keeps the delay that it has.
        let delay = mode == .manual ? rooms.delayMilliseconds(ofRoute: route) : nil
        try rooms.setAlignment(
          SetAlignment.Params(route: route, mode: mode, delayMilliseconds: delay)
        )
      },
    ),
    ParameterKind(
      template: "/route/*/delay",
      type: .number,
      range: 0...500,
      unit: "ms",
      description:
        "the delay of the route, in whole frames; setting it ends the automatic alignment",
      instances: { snapshot in
        let rate = snapshot.status.hardware.sampleRate.actual ?? 0
        guard rate > 0 else { return [] }
        return snapshot.outputs.map {
          Instance($0.name, value: .number(Double($0.delayFrames) / rate * 1000))
        }
      },
      write: { rooms, change throws(ControlError) in
        try rooms.setAlignment(
          SetAlignment.Params(
            route: change.names[0],
            mode: .manual,
            delayMilliseconds: change.number,
          )
        )
      },
    ),
    ParameterKind(
      template: "/route/*/available",
      type: .flag,
      description: "whether the ports of the route are there",
      instances: { $0.status.routes.map { Instance($0.name, value: .flag($0.available)) } },
    ),
  ]

  // MARK: - Recorders, sessions

  private static let recording = ParameterKind(
    template: "/recorder/*/recording",
    type: .flag,
    description: "whether the recorder records",
    instances: { $0.status.recorders.map { Instance($0.name, value: .flag($0.recording)) } },
    write: { rooms, change throws(ControlError) in
      let recorder = change.names[0]
      let status = rooms.recording.statuses.first { $0.name == recorder }
      guard status?.recording != change.isOn else { return }
      if change.isOn {
        _ = try rooms.startRecording(.init(recorder: recorder), for: change.connection)
      } else {
        _ = try await rooms.recording.stop(.init(recorder: recorder))
      }
    },
  )

  private static let ofSessions: [ParameterKind] = [
    sessionActive, sessionRoute,
    ParameterKind(
      template: "/session/*/sounding",
      type: .flag,
      description:
        "whether it is heard: its rules, the mix and the routes let it through, and it sends a sound",
      instances: { $0.status.sessions.map { Instance($0.id, value: .flag($0.sounding)) } },
    ),
    ParameterKind(
      template: "/session/*/interrupted",
      type: .flag,
      description: "whether another session or an event has interrupted it",
      instances: { snapshot in
        snapshot.status.sessions.map { Instance($0.id, value: .flag($0.interruptedBy != nil)) }
      },
    ),
    ParameterKind(
      template: "/session/*/duck",
      type: .number,
      range: -60...0,
      unit: "dB",
      description: "how much other sessions lower it",
      instances: { $0.status.sessions.map { Instance($0.id, value: .number($0.duckGainDB)) } },
    ),
  ]

  // MARK: - Levels

  private static let levels: [ParameterKind] = [
    ParameterKind(
      template: "/strip/*/level",
      type: .numbers,
      unit: "dB",
      description: "the peak of each channel at the strip's meter; empty while nobody watches it",
      instances: { snapshot in
        let levels = snapshot.meters.map { meters in
          Dictionary(meters.strips.map { ($0.id, $0.levels(at: $0.tap ?? .post).peak) }) { $1 }
        }
        return snapshot.status.strips.map {
          Instance($0.id, value: .numbers(decibels(levels?[$0.id])))
        }
      },
    ),
    ParameterKind(
      template: "/route/*/level",
      type: .numbers,
      unit: "dB",
      description: "the peak of each channel at the route's ports; empty while nobody watches it",
      instances: { snapshot in
        let levels = snapshot.meters.map { meters in
          Dictionary(meters.routes.map { ($0.id, $0.peak) }) { $1 }
        }
        return snapshot.outputs.map {
          Instance($0.name, value: .numbers(decibels(levels?[$0.name])))
        }
      },
    ),
  ]

  /// How much limiters hold down.
  private static let reduction = ParameterKind(
    template: "/route/*/reduction",
    type: .numbers,
    unit: "dB",
    description: "how much the limiter lowers the route at most; empty while nobody watches it",
    instances: { snapshot in
      let gains = snapshot.meters.map { meters in
        Dictionary(meters.routes.map { ($0.id, $0.limiterGain) }) { $1 }
      }
      return snapshot.outputs.filter { snapshot.limited.contains($0.name) }.map { route in
        let gain = gains?[route.name].flatMap { $0 }
        return Instance(route.name, value: .numbers(decibels(gain.map { [$0] })))
      }
    },
  )

  /// Peaks in hundredths of a decibel: finer ones would only be changes that nobody sees.
  private static func decibels(_ peaks: [Float]?) -> [Double] {
    (peaks ?? []).map { (Decibels.decibels(fromLinear: $0) * 100).rounded() / 100 }
  }

  /// Whether a parameter shows a level, which the engine reads only for those who watch it.
  var isLevel: Bool { type == .numbers }
}
