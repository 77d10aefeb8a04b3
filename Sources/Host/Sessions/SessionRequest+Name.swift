// SPDX-License-Identifier: MIT

internal import Sessions

extension SessionRequest {
  /// The request in a word, for `session`. [any-thread]
  var name: String {
    switch self {
    case .setCategory: "setCategory"
    case .configure: "configure"
    case .setMode: "setMode"
    case .prefer: "prefer"
    case .activate: "activate"
    case .deactivate: "deactivate"
    case .overrideOutput: "overrideOutput"
    case .setPreferredInput: "setPreferredInput"
    case .chooseOutput: "chooseOutput"
    case .setDataSource: "setDataSource"
    case .requestRecordPermission: "requestRecordPermission"
    case .setInputMuted: "setInputMuted"
    case .setOutputMuted: "setOutputMuted"
    case .setTakesRemoteCommands: "setTakesRemoteCommands"
    case .setPrefersInterruptionOnRouteDisconnect: "setPrefersInterruptionOnRouteDisconnect"
    case .setPrefersNoInterruptionsFromSystemAlerts: "setPrefersNoInterruptionsFromSystemAlerts"
    }
  }
}
