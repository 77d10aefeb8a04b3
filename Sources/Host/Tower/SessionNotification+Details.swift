// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Sessions

extension SessionNotification {
  /// The notification's name on the wire.
  var name: String {
    switch self {
    case .interruptionBegan: "interruptionBegan"
    case .interruptionEnded: "interruptionEnded"
    case .routeChanged: "routeChanged"
    case .availableInputsChanged: "availableInputsChanged"
    case .mediaServicesWereLost: "mediaServicesWereLost"
    case .mediaServicesWereReset: "mediaServicesWereReset"
    case .silenceSecondaryAudioHint: "silenceSecondaryAudioHint"
    case .didBecomeActive: "didBecomeActive"
    case .didBecomeInactive: "didBecomeInactive"
    case .resumptionRecommendation: "resumptionRecommendation"
    case .recordPermissionChanged: "recordPermissionChanged"
    case .inputMuteChanged: "inputMuteChanged"
    case .outputMuteChanged: "outputMuteChanged"
    case .remoteCommand: "remoteCommand"
    }
  }

  /// The facts it carries, for programs.
  var details: [String: JSONValue] {
    switch self {
    case .interruptionBegan(let reason, let wasSuspended):
      ["reason": .string("\(reason)"), "wasSuspended": .bool(wasSuspended)]
    case .interruptionEnded(let shouldResume, let commands):
      [
        "shouldResume": .bool(shouldResume),
        "heldCommands": .array(commands.map { .object($0.details) }),
        "leavePaused": .bool(commands.leavePaused),
      ]
    case .resumptionRecommendation(let shouldResume):
      ["shouldResume": .bool(shouldResume)]
    case .routeChanged(let reason, let previous, let current):
      [
        "reason": .integer(Int64(reason.rawValue)), "previous": Self.ports(previous),
        "current": Self.ports(current),
      ]
    case .remoteCommand(let command): command.details
    case .silenceSecondaryAudioHint(let begins): ["begins": .bool(begins)]
    case .didBecomeInactive(let interruption):
      ["interruption": interruption.map { .string("\($0)") } ?? .null]
    case .recordPermissionChanged(let permission): ["permission": .string("\(permission)")]
    case .inputMuteChanged(let isMuted), .outputMuteChanged(let isMuted): ["muted": .bool(isMuted)]
    case .availableInputsChanged, .mediaServicesWereLost, .mediaServicesWereReset,
      .didBecomeActive:
      [:]
    }
  }

  private static func ports(_ route: RouteDescription) -> JSONValue {
    .array((route.inputs + route.outputs).map { .string($0.uid) })
  }
}

extension RemoteCommand {
  /// The facts it carries, for programs.
  fileprivate var details: [String: JSONValue] {
    var details: [String: JSONValue] = ["command": .string(name)]
    switch self {
    case .seek(let seconds), .skipForward(let seconds), .skipBackward(let seconds):
      details["seconds"] = .number(seconds)
    case .rate(let factor): details["rate"] = .number(factor)
    case .play, .pause, .toggle, .stop, .next, .previous, .record: break
    }
    return details
  }

  /// The command's name on the wire.
  fileprivate var name: String {
    switch self {
    case .play: "play"
    case .pause: "pause"
    case .toggle: "toggle"
    case .stop: "stop"
    case .next: "next"
    case .previous: "previous"
    case .seek: "seek"
    case .skipForward: "skipForward"
    case .skipBackward: "skipBackward"
    case .rate: "rate"
    case .record: "record"
    }
  }
}
