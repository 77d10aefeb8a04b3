// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// Text and numbers for surfaces with a display: the latest fault, why a strip is silent, and the hardware. [any-thread]
extension ParameterKind {
  /// The parameters of the host and of its hardware, which can only be read.
  static let ofHost: [ParameterKind] = [
    ParameterKind(
      template: "/host/notice",
      type: .text,
      description: "the latest late cycle, fault or loss, in a sentence; empty before the first",
      instances: { [Instance(value: .text($0.notice))] },
    ),
    hardware("sampleRate", unit: "Hz", "the sample rate") {
      $0.hardware.sampleRate.actual
    },
    hardware("ioBufferFrames", unit: "frames", "the length of a cycle") {
      $0.hardware.ioBufferFrames.actual
    },
    hardware("xruns", "the late cycles since the host began") { Double($0.engine.xruns) },
    hardware("load", unit: "%", "the server's load, as of the latest change of anything") {
      // Finer values would only be changes that nobody sees.
      $0.engine.loadPercent.rounded()
    },
  ]

  private static func hardware(
    _ name: String,
    unit: String? = nil,
    _ description: String,
    _ value: @escaping @Sendable (HostStatus) -> Double?,
  ) -> ParameterKind {
    ParameterKind(
      template: "/hardware/\(name)",
      type: .number,
      unit: unit,
      description: description,
      instances: { snapshot in
        value(snapshot.status).map { [Instance(value: .number($0))] } ?? []
      },
    )
  }

  /// Why a strip is not heard.
  static let why = ParameterKind(
    template: "/strip/*/why",
    type: .text,
    description:
      "why the strip is silent or lowered, in a sentence; empty when it sounds, and while nobody watches it",
    instances: { snapshot in
      snapshot.status.strips.map {
        Instance($0.id, value: .text(snapshot.reasons?[$0.id] ?? ""))
      }
    },
  )

  /// Whether a path is that of a reason, which is only looked for where somebody asks.
  static func isReason(_ path: String) -> Bool {
    path.hasPrefix("/strip/") && path.hasSuffix("/why")
  }
}
