// SPDX-License-Identifier: MIT

extension Interrupter {
  /// The interrupter as a part of a sentence.
  var phrase: String {
    switch self {
    case .session(let id): "session \(id)"
    case .simulated(let priorityClass): "a simulated \(priorityClass.rawValue)"
    case .background: "its place in the background"
    case .microphoneMute: "the muted microphone"
    case .routeDisconnect: "the loss of its route"
    }
  }
}

extension Silence {
  /// The cause as a part of a sentence.
  var phrase: String {
    switch self {
    case .serverLost: "the JACK server is gone"
    case .interrupted: "it is interrupted"
    case .inactive: "it is not active"
    case .category: "its category has no such direction"
    case .silentSwitch: "the silent switch is on"
    case .screenLock: "the screen is locked"
    case .paused: "it is paused"
    case .muted: "its app muted it"
    case .noRoute: "nothing that fits is connected"
    case .permission: "it has no permission to record"
    }
  }
}

extension SessionConfiguration {
  /// The configuration as a part of a sentence.
  var phrase: String {
    var phrase = category.name
    if mode != .default { phrase += ", mode \(mode.name)" }
    if !options.isEmpty { phrase += ", " + options.names.joined(separator: " + ") }
    return phrase
  }
}

extension HardwareValues {
  /// The values as a part of a sentence.
  var phrase: String { "\(sampleRateHz) Hz, \(bufferFrames) frames" }
}
