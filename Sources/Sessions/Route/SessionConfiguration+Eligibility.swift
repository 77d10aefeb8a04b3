// SPDX-License-Identifier: MIT

extension SessionConfiguration {
  /// Whether an output is eligible (rules OPT-2 and MOD-4).
  ///
  /// - Parameter port: The output.
  /// - Returns: Whether it is.
  public func allowsOutput(_ port: PortDescription) -> Bool {
    guard category.hasOutput, port.type.canBeOutput else { return false }
    switch port.type {
    case .bluetoothA2DP: return mode != .voiceChat && allowsStereoBluetooth
    case .bluetoothHFP: return options.contains(.allowBluetoothHFP)
    case .bluetoothLE: return category != .multiRoute || mode == .dualRoute
    case .airPlay: return allowsNetwork(isMirrored: port.isMirrored)
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

  /// Whether network outputs are eligible (rule MOD-4).
  ///
  /// With `playAndRecord` only mirrored ones are, in three modes without an option; `allowAirPlay` adds the other modes.
  private func allowsNetwork(isMirrored: Bool) -> Bool {
    switch category {
    case .ambient, .soloAmbient, .playback:
      return true
    case .playAndRecord:
      let isFreeMode = mode == .default || mode == .videoChat || mode == .gameChat
      return isMirrored && (isFreeMode || options.contains(.allowAirPlay))
    case .record, .audioProcessing, .multiRoute:
      return false
    }
  }
}
