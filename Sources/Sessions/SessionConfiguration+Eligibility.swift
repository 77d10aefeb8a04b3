// SPDX-License-Identifier: MIT

extension SessionConfiguration {
  /// Whether outputs of this type are eligible (rules OPT-2 and MOD-4).
  ///
  /// - Parameter type: The output's type.
  /// - Returns: Whether they are.
  public func allowsOutput(_ type: PortType) -> Bool {
    guard category.hasOutput, type.canBeOutput else { return false }
    switch type {
    case .bluetoothA2DP: return mode != .voiceChat && allowsStereoBluetooth
    case .bluetoothHFP: return options.contains(.allowBluetoothHFP)
    case .bluetoothLE: return category != .multiRoute || mode == .dualRoute
    case .airPlay: return allowsNetwork
    case .carAudio: return category != .multiRoute
    case .builtInReceiver: return category == .playAndRecord
    case .HDMI, .displayPort: return mode != .voiceChat
    default: return true
    }
  }

  /// Whether inputs of this type are eligible.
  ///
  /// - Parameter type: The input's type.
  /// - Returns: Whether they are.
  public func allowsInput(_ type: PortType) -> Bool {
    guard category.hasInput, type.canBeInput else { return false }
    switch type {
    case .bluetoothHFP: return options.contains(.allowBluetoothHFP)
    case .bluetoothLE: return mode == .dualRoute
    case .carAudio, .continuityMicrophone: return category != .multiRoute
    default: return true
    }
  }

  private var allowsStereoBluetooth: Bool {
    switch category {
    case .ambient, .soloAmbient, .playback: true
    case .playAndRecord: options.contains(.allowBluetoothA2DP)
    case .record, .audioProcessing, .multiRoute: false
    }
  }

  private var allowsNetwork: Bool {
    switch category {
    case .ambient, .soloAmbient, .playback:
      return true
    case .playAndRecord:
      guard options.contains(.allowAirPlay) else { return false }
      return mode == .default || mode == .videoChat || mode == .gameChat
    case .record, .audioProcessing, .multiRoute:
      return false
    }
  }
}
